import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SandboxPolicy, WritableRoot } from "../../src/protocol/types.js";
import { createSandbox, type SandboxKind } from "../../src/sandbox/index.js";
import { wasDenied } from "../../src/tools/exec/run-command.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";
import { inFolder } from "./case-files.js";
import { differs } from "./differs.js";

/** Detection of denials, and the roots of a policy. */
export const suite: SuiteAdapter = {
  name: "sandbox",
  run(testCase, { dir }) {
    if (testCase.kind === "likely_denied") return runDenial(testCase as unknown as DenialCase);
    if (testCase.kind === "writable_roots" || testCase.kind === "writable_root_git") {
      return runRoots(testCase as unknown as RootsCase, dir);
    }
    throw new CannotRun(`unknown kind ${testCase.kind}`);
  },
};

interface DenialCase extends SuiteCase {
  rev: string;
  sandbox: "none" | "linux" | "macos";
  exit_code: number;
  stdout: string;
  stderr: string;
  aggregated_output: string;
  expect: boolean;
}

interface RootsCase extends SuiteCase {
  cwd: string;
  policy: SandboxPolicy;
  env?: Record<string, string>;
  dirs?: string[];
  expect_roots?: string[];
  expect?: WritableRoot[];
}

const kinds: Record<DenialCase["sandbox"], SandboxKind> = {
  none: "none",
  linux: "bubblewrap",
  macos: "seatbelt",
};

function runDenial(testCase: DenialCase): string | undefined {
  const rule = testCase.rev === "rust-v0.39.0" ? "any-failure" : "telltale-output";
  const denied = wasDenied(
    {
      sandbox: kinds[testCase.sandbox],
      exitCode: testCase.exit_code,
      stdout: testCase.stdout,
      stderr: testCase.stderr,
      aggregated: testCase.aggregated_output,
    },
    rule,
  );
  return denied === testCase.expect ? undefined : `got ${denied}, expected ${testCase.expect}`;
}

/** Paths of a case are made below `dir`, since a root must exist to be one; `/tmp` is the real one. */
function runRoots(testCase: RootsCase, dir: string): string | undefined {
  const inDir = (path: string) => (path === "/tmp" ? path : inFolder(dir, path));
  const place = (path: string) => {
    mkdirSync(inDir(path), { recursive: true });
    return inDir(path);
  };
  for (const path of testCase.dirs ?? []) place(path);
  const { policy } = testCase;
  const listed = policy.mode === "workspace-write" ? (policy.writable_roots ?? []).map(place) : [];
  const env = mapValues(testCase.env ?? {}, (value) =>
    value.startsWith("/") ? place(value) : value,
  );
  const sandbox = createSandbox({
    platform: "linux",
    arch: "x64",
    env,
    stateDir: join(dir, ".state"),
  });
  const roots = sandbox.writableRoots(
    policy.mode === "workspace-write" ? { ...policy, writable_roots: listed } : policy,
    place(testCase.cwd),
  );
  if (testCase.expect_roots !== undefined) {
    return differs(
      roots.map(({ root }) => root),
      testCase.expect_roots.map(inDir),
    );
  }
  return differs(
    roots,
    (testCase.expect ?? []).map(({ root, read_only_subpaths }) => ({
      root: inDir(root),
      read_only_subpaths: read_only_subpaths.map(inDir),
    })),
  );
}

function mapValues(values: Record<string, string>, map: (value: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
