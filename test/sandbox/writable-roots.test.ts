import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WorkspaceWritePolicy } from "../../src/protocol/types.js";
import { bubblewrapOptions, mountsFor } from "../../src/sandbox/bubblewrap.js";
import { confine } from "../../src/sandbox/confinement.js";
import { isWithin, RealPaths } from "../../src/sandbox/paths.js";
import { findWritableRoots } from "../../src/sandbox/writable-roots.js";
import { createWriteGuard } from "../../src/sandbox/write-guard.js";

let base = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "quire-roots-")));
  for (const path of ["ws/sub/.git", "ws/.git", "ws2", "other/deep/er", "home/me/.codex"]) {
    mkdirSync(join(base, path), { recursive: true });
  }
  symlinkSync(join(base, "other"), join(base, "alias"));
  writeFileSync(join(base, "file"), "");
});

afterAll(() => rmSync(base, { recursive: true }));

const bare: WorkspaceWritePolicy = {
  mode: "workspace-write",
  exclude_slash_tmp: true,
  exclude_tmpdir_env_var: true,
};

function find(
  policy: Partial<WorkspaceWritePolicy>,
  env = {},
  cwd = join(base, "ws"),
  userHome = join(base, "home/me"),
) {
  const realPaths = new RealPaths();
  return findWritableRoots({
    policy: { ...bare, ...policy },
    cwd,
    env,
    platform: "linux",
    userHome,
    agentHome: join(userHome, ".codex"),
    realPath: (path) => realPaths.of(path),
  });
}

test("roots come in the order of the protocol, each once and by its real path", () => {
  const found = find(
    {
      writable_roots: [join(base, "alias"), join(base, "other"), join(base, "file")],
      exclude_slash_tmp: false,
      exclude_tmpdir_env_var: false,
    },
    { TMPDIR: join(base, "ws2") },
  );

  expect(found).toEqual({
    roots: [
      { path: join(base, "other"), origin: "policy" },
      { path: join(base, "file"), origin: "policy" },
      { path: join(base, "ws"), origin: "cwd" },
      { path: realpathSync("/tmp"), origin: "slash-tmp" },
      { path: join(base, "ws2"), origin: "tmpdir" },
    ],
    warnings: [],
  });
});

test("policies that write nothing, or that we do not enforce, have no roots", () => {
  const of = (mode: "read-only" | "danger-full-access") =>
    findWritableRoots({
      policy: { mode },
      cwd: "/",
      env: {},
      platform: "linux",
      realPath: (path) => path,
    });

  expect([of("read-only"), of("danger-full-access")]).toEqual([
    { roots: [], warnings: [] },
    { roots: [], warnings: [] },
  ]);
});

test.each([
  ["..", "is not an absolute path"],
  ["/", "is the whole file system"],
  ["/var", "is a directory of the system"],
  ["/usr/bin", "is a directory of the system"],
  ["HOME", "contains your home directory"],
  ["HOME/..", "contains your home directory"],
  ["HOME/.codex", "contains the agent's own files"],
])("a TMPDIR of %s is left out because it %s", (value, problem) => {
  const tmpdir = value.replace("HOME", join(base, "home/me"));

  const found = find({ exclude_tmpdir_env_var: false }, { TMPDIR: tmpdir });

  expect(found).toEqual({
    roots: [{ path: join(base, "ws"), origin: "cwd" }],
    warnings: [`Not writable: TMPDIR (${tmpdir}) ${problem}.`],
  });
});

test("an empty TMPDIR is as good as none", () => {
  expect(find({ exclude_tmpdir_env_var: false }, { TMPDIR: "" }).warnings).toEqual([]);
});

test("a TMPDIR that is /tmp does not bring back an excluded /tmp", () => {
  const found = find({ exclude_tmpdir_env_var: false }, { TMPDIR: "/tmp/" }, undefined, "/home/me");

  expect(found.warnings).toEqual(["Not writable: TMPDIR (/tmp/) is /tmp, which is excluded."]);
});

test("a workspace in a place of the system's is left out, one below it is not", () => {
  const warned = (cwd: string) => find({}, {}, cwd).warnings;

  expect(["/", "/etc", "/usr", "/home", "/proc/self"].map((cwd) => warned(cwd).length)).toEqual([
    1, 1, 1, 1, 1,
  ]);
});

test("no list of roots ever makes anything outside of it writable", () => {
  const names = [
    "ws",
    "ws2",
    "ws/sub",
    "other",
    "other/deep",
    "alias",
    "alias/deep",
    "file",
    "home/me",
  ];
  const odd = ["", ".", "..", "/", "ws", "~", "/etc", "/usr/local", "/nonexistent"];
  const root = fc.oneof(
    fc.constantFrom(...names).map((name) => join(base, name)),
    fc.constantFrom(...odd),
    fc.string().map((text) => `/${text.replaceAll("\0", "")}`),
  );
  const below = fc.constantFrom(
    "x",
    ".git/hooks/x",
    "a/.GIT/x",
    "../x",
    "../ws-evil/x",
    "deep/er/x",
  );

  fc.assert(
    fc.property(fc.array(root), root, root, below, fc.boolean(), (listed, cwd, tmp, path, byFd) => {
      const policy = { ...bare, writable_roots: listed, exclude_tmpdir_env_var: false };
      const { roots } = find(policy, { TMPDIR: tmp }, cwd);
      const meant = [...listed, cwd, tmp].flatMap((given) => real(given));
      const confinement = confine({ roots, nested: [join(base, "ws/sub/.git")], keep: [] });
      const mounts = mountsFor({
        confinement,
        placeholders: new Map(),
        masked: [],
        bindsDescriptors: byFd,
      });
      const guard = createWriteGuard(confinement);

      for (const { path: writable } of mounts.filter(({ as }) => as === "write")) {
        expect(meant.some((given) => isWithin(writable, given))).toBe(true);
        expect(["/", "/etc", "/usr", "/usr/local"]).not.toContain(writable);
      }
      const options = bubblewrapOptions({ ...plan, mounts });
      expect(options.filter((option) => option === "--bind")).toHaveLength(
        mounts.filter(({ as }) => as === "write").length,
      );
      for (const given of [...listed, cwd, tmp]) {
        const target = join(given, path);
        if (!target.startsWith("/") || guard.check(target) !== undefined) continue;
        const place = placeOf(target);
        expect(meant.some((allowed) => isWithin(place, allowed))).toBe(true);
        expect(target.toLowerCase().split("/").slice(base.split("/").length)).not.toContain(".git");
      }
    }),
    { numRuns: 300 },
  );
});

const plan = {
  network: false,
  cwd: "/",
  env: {},
  newSession: true,
  freshProc: true,
} as const;

/** Resolves the existing part of a path. */
function placeOf(path: string): string {
  return real(path)[0] ?? join(placeOf(dirname(path)), basename(path));
}

function real(path: string): string[] {
  try {
    return path.startsWith("/") ? [realpathSync(path)] : [];
  } catch {
    return [];
  }
}
