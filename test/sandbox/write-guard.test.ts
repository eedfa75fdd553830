import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxPolicy } from "../../src/protocol/types.js";
import { createSandbox, type EnforcedPolicy, type WriteGuard } from "../../src/sandbox/index.js";

function scene() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "quire-guard-")));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [ws, outside] = [join(base, "ws"), join(base, "outside")];
  for (const path of [join(ws, ".git"), join(ws, "src"), outside]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(join(outside, "victim.txt"), "");
  const guard = (policy: Partial<SandboxPolicy> = {}, cwd = ws): WriteGuard =>
    createSandbox({
      platform: "linux",
      arch: "x64",
      env: {},
      stateDir: join(base, "state"),
    }).writeGuard(
      {
        mode: "workspace-write",
        exclude_slash_tmp: true,
        exclude_tmpdir_env_var: true,
        ...policy,
      } as SandboxPolicy,
      cwd,
    );
  return { ws, outside, guard };
}

test("files in the workspace may be written, also new ones in new directories", () => {
  const { ws, guard } = scene();

  const answers = ["a", "src/b", "new/deeper/c", ".gitignore", ".github/x", "x.git/y"].map((path) =>
    guard().check(join(ws, path)),
  );

  expect(answers).toEqual(answers.map(() => undefined));
});

test("paths outside may not be written, in any spelling", () => {
  const { ws, outside, guard } = scene();
  symlinkSync(outside, join(ws, "d"));
  symlinkSync(join(outside, "victim.txt"), join(ws, "l"));
  symlinkSync("/nowhere/at/all", join(ws, "dangling"));
  const paths = [
    join(outside, "new"),
    `${ws}/../outside/new`,
    `${ws}-evil/x`,
    join(ws, "d/new"),
    join(ws, "l"),
    ws.slice(0, -1),
    "/etc/passwd",
  ];

  const answers = paths.map((path) => guard().check(path));

  expect(answers).toEqual(
    paths.map((path) => `${path} cannot be written: it is outside of the writable roots`),
  );
  expect(guard().check(join(ws, "dangling"))).toContain("dangling link");
  expect(guard().check(join(ws, "dangling/x"))).toContain("dangling link");
});

test("names that some file system takes for protected ones may not be written either", () => {
  const { ws, guard } = scene();
  const names = [".git.", ".git ", "git~1", ".g\u200cit", ".git::$INDEX_ALLOCATION", ".ｇit"];

  const answers = names.map((name) => guard().check(join(ws, name, "hooks/x")));

  expect(answers).toEqual(
    names.map((name) => `${ws}/${name}/hooks/x cannot be written: ${name} is protected`),
  );
});

test("protected names may not be written, at any depth and in any case", () => {
  const { ws, guard } = scene();
  const paths = [".git/config", ".GIT/config", ".codex/config.toml", "src/.agents/x", ".git"];

  const answers = paths.map((path) => guard().check(join(ws, path)));

  expect(answers).toEqual([
    `${ws}/.git/config cannot be written: .git is protected`,
    `${ws}/.GIT/config cannot be written: .GIT is protected`,
    `${ws}/.codex/config.toml cannot be written: .codex is protected`,
    `${ws}/src/.agents/x cannot be written: .agents is protected`,
    `${ws}/.git cannot be written: .git is protected`,
  ]);
});

test("a link inside the workspace to something inside it may be written through", () => {
  const { ws, guard } = scene();
  writeFileSync(join(ws, "src/real"), "");
  symlinkSync("src/real", join(ws, "link"));
  symlinkSync(".git/config", join(ws, "sneaky"));
  writeFileSync(join(ws, ".git/config"), "");

  expect(guard().check(join(ws, "link"))).toBe(undefined);
  expect(guard().check(join(ws, "sneaky"))).toContain(".git is protected");
});

test("the git directory behind a .git file may not be written", () => {
  const { ws, guard } = scene();
  mkdirSync(join(ws, "store/w"), { recursive: true });
  mkdirSync(join(ws, "tree"));
  writeFileSync(join(ws, "tree/.git"), "gitdir: ../store/w\n");

  const check = guard({ writable_roots: [ws] }, join(ws, "tree")).check;

  expect(check(join(ws, "store/w/hooks/x"))).toContain("it is protected");
  expect(check(join(ws, "store/other"))).toBe(undefined);
});

test("a read-only policy refuses everything, full access nothing", () => {
  const { ws, guard } = scene();

  expect(guard({ mode: "read-only" }).check(join(ws, "a"))).toBe(
    `${ws}/a cannot be written: the sandbox is read-only`,
  );
  expect(guard({ mode: "danger-full-access" }).check("/etc/passwd")).toBe(undefined);
});

test("a root below a protected name is a root", () => {
  const { ws, guard } = scene();
  const inner = join(ws, ".codex/worktrees/one");
  mkdirSync(inner, { recursive: true });

  expect(guard({}, inner).check(join(inner, "a"))).toBe(undefined);
  expect(guard({ writable_roots: [ws] }, inner).check(join(inner, "a"))).toBe(undefined);
  expect(guard({ writable_roots: [ws] }, inner).check(join(ws, ".codex/x"))).toContain("protected");
});

test.each(["read-only", "workspace-write"] as const)(
  "under %s a granted folder may be written besides, without its protected names",
  (mode) => {
    const { ws, outside, guard } = scene();
    const granted = { writable: [outside], network: false };
    const check = (path: string) => guard({ mode, granted } as EnforcedPolicy).check(path);

    expect(check(join(outside, "new"))).toBeUndefined();
    expect(check(join(outside, ".git", "config"))).toContain(".git is protected");
    expect(check(join(ws, "a")) === undefined).toBe(mode === "workspace-write");
    expect(check(join(ws, "..", "b"))).toContain("it is outside of the writable roots");
  },
);

test("a granted folder that has become a link opens nothing, nor does one that is asked for by a link", () => {
  const { ws, outside, guard } = scene();
  const [folder, link] = [join(ws, "src"), join(ws, "link")];
  symlinkSync(outside, link);
  const granted = { writable: [folder, link], network: false };
  const check = (path: string) =>
    guard({ mode: "read-only", granted } as EnforcedPolicy).check(path);
  const before = [check(join(folder, "a")), check(join(outside, "a"))];

  rmSync(folder, { recursive: true });
  symlinkSync(outside, folder);

  expect(before).toEqual([undefined, expect.stringContaining("cannot be written")]);
  for (const path of [join(folder, "a"), join(link, "a"), join(outside, "a")]) {
    expect(check(path)).toContain("cannot be written");
  }
});

test("the agent's own files are not for anyone to grant", () => {
  const { ws, guard } = scene();
  const state = join(ws, "..", "state");
  mkdirSync(join(state, "deep"), { recursive: true });
  const granted = { writable: [state, join(state, "deep")], network: false };

  const answer = guard({ mode: "read-only", granted } as EnforcedPolicy).check(
    join(state, "deep/a"),
  );

  expect(answer).toContain("the sandbox is read-only");
});
