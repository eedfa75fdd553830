import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawn, wait } from "../../support/agents.js";
import { startTestCodex, type TestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const input = { type: "user_input", items: text("use a helper") } as const;
const run = (cmd: string) => calls("exec_command", { cmd, login: false });

/** Starts a conversation in a repository, with a role that works in a worktree. */
async function start(
  commands: readonly string[],
  { hasCommit = true, config = {} }: { hasCommit?: boolean; config?: object } = {},
): Promise<TestCodex> {
  const codex = await startTestCodex({
    config: {
      model: "gpt-6-sol",
      "features.code_mode": false,
      sandbox_mode: "workspace-write",
      approval_policy: "never",
      ...config,
    },
    model: {
      answers: [
        [spawn("one", { agent_type: "apart" })],
        ...(hasCommit ? [wait] : []),
        says("done"),
      ],
      agents: { "*": [...commands.map(run), says("finished")] },
    },
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: codex.workspace,
    });
  git("init", "-q");
  await writeFile(join(codex.workspace, "file.txt"), "one\n");
  if (hasCommit) {
    git("add", ".");
    git("commit", "-qm", "first");
  }
  await mkdir(join(codex.home, "agents"));
  await writeFile(join(codex.home, "agents/apart.toml"), "worktree = true\n");
  return codex;
}

/** Paths of the worktrees in the home. */
async function worktrees({ home }: TestCodex): Promise<string[]> {
  const folders = await readdir(join(home, "worktrees")).catch(() => []);
  const found = await Promise.all(
    folders.map(async (folder) => {
      const path = join(home, "worktrees", folder);
      return (await readdir(path)).map((name) => join(path, name));
    }),
  );
  return found.flat();
}

const lastOf = ({ prompts }: TestCodex) => JSON.stringify(prompts.at(-1)?.input);

test("an agent with a worktree writes there and not in the workspace, and its parent learns where", async () => {
  await using codex = await start([
    "echo two >> file.txt; git status --short > state",
    "touch made; touch ../../../../workspace/made",
  ]);
  await codex.turn(input);
  await codex.shutdown();
  const [tree = ""] = await worktrees(codex);

  expect(existsSync(join(codex.workspace, "made"))).toBe(false);
  expect(existsSync(join(tree, "made"))).toBe(true);
  expect(lastOf(codex)).toContain(
    `Its work is in the git worktree ${tree} on the branch quire/one.`,
  );
  const state = execFileSync("cat", [join(tree, "state")]).toString();
  expect(state).toContain(" M file.txt");
});

test("a worktree without changes is removed when the conversation ends", async () => {
  await using codex = await start(["true"]);
  await codex.turn(input);
  expect(await worktrees(codex)).toHaveLength(1);
  await codex.shutdown();

  expect(lastOf(codex)).toContain("It left no changes in its git worktree.");
  expect(await worktrees(codex)).toEqual([]);
});

test("without a commit there is no worktree, and no agent either", async () => {
  await using codex = await start(["true"], { hasCommit: false });
  await codex.turn(input);

  expect(lastOf(codex)).toContain("collab spawn failed: ");
  expect(lastOf(codex)).toContain("has no commit to start from");
});

test.each(["", 'sandbox_mode = "read-only"\n'])(
  "an agent with a worktree cannot read what is denied in the workspaces of its parent (%s)",
  async (more) => {
    const shared = await mkdtemp(join(tmpdir(), "quire-shared-"));
    const denying = {
      sandbox_mode: undefined,
      default_permissions: "work",
      "permissions.work": {
        extends: ":workspace",
        workspace_roots: { [shared]: true },
        filesystem: { ":workspace_roots": { "secret.env": "deny", "**/*.key": "deny" } },
      },
    };
    const places = ["../../../../workspace", shared];
    const files = places.flatMap((place) => [`${place}/secret.env`, `${place}/deep/a.key`]);
    await using codex = await start([`cat ${files.join(" ")}; cat file.txt`], { config: denying });
    await writeFile(join(codex.home, "agents/apart.toml"), `worktree = true\n${more}`);
    for (const place of [codex.workspace, shared]) {
      await mkdir(join(place, "deep"));
      for (const name of ["secret.env", "deep/a.key"]) await writeFile(join(place, name), "hush");
    }

    await codex.turn(input);
    await rm(shared, { recursive: true });

    const output = JSON.stringify(codex.prompts);
    expect(output).not.toContain("hush");
    for (const file of files) expect(output).toContain(`${file}: Permission denied`);
    expect(output).toContain("one\\n");
  },
);
