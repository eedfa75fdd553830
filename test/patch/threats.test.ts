import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, link, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attackAsNobody, NOBODY } from "./as-nobody.js";
import { attack } from "./attack.js";
import { hostState } from "./host-state.js";
import { temporaryFolder } from "./temporary-folder.js";

const isRoot = process.getuid?.() === 0;

const refused: [string, string[]][] = [
  ["a file added above the workspace", ["*** Add File: ../outside/new", "+x"]],
  ["a file added by absolute path", ["*** Add File: OUTSIDE/new", "+x"]],
  ["a way up hidden in folders", ["*** Add File: a/b/../../../outside/new", "+x"]],
  ["a file updated by absolute path", ["*** Update File: OUTSIDE/victim.txt", "-victim", "+x"]],
  ["a file deleted outside", ["*** Delete File: ../outside/victim.txt"]],
  ["a file moved out", ["*** Update File: f", "*** Move to: ../outside/new", "-f", "+x"]],
  [
    "a file moved in",
    ["*** Update File: ../outside/victim.txt", "*** Move to: g", "-victim", "+x"],
  ],
  [
    "a file moved over one outside",
    ["*** Update File: f", "*** Move to: OUTSIDE/victim.txt", "-f", "+x"],
  ],
  ["a file added through a linked folder", ["*** Add File: d/new", "+x"]],
  ["a file added deep in a linked folder", ["*** Add File: d/e/f/new", "+x"]],
  ["a file updated through a linked folder", ["*** Update File: d/victim.txt", "-victim", "+x"]],
  ["a file deleted through a linked folder", ["*** Delete File: d/victim.txt"]],
  ["a file updated through a link", ["*** Update File: l", "-victim", "+x"]],
  ["a file added over a link", ["*** Add File: l", "+x"]],
  ["a file moved over a link", ["*** Update File: f", "*** Move to: l", "-f", "+x"]],
  ["a file added through a link to nothing", ["*** Add File: dangling", "+x"]],
  ["a git hook", ["*** Add File: .git/hooks/pre-commit", "+x"]],
  ["the git settings", ["*** Update File: .git/config", "-[core]", "+x"]],
  ["the git settings, deleted", ["*** Delete File: .git/config"]],
  ["a git hook in other letters", ["*** Add File: .GIT/hooks/pre-commit", "+x"]],
  ["a git hook by a dot more", ["*** Add File: .git./hooks/pre-commit", "+x"]],
  ["a git hook by a short name", ["*** Add File: git~1/hooks/pre-commit", "+x"]],
  ["a git hook with a sign no one sees", ["*** Add File: .g\u200cit/hooks/pre-commit", "+x"]],
  ["a git hook of a repository inside", ["*** Add File: sub/.git/hooks/pre-commit", "+x"]],
  ["a git hook through a link", ["*** Add File: g/hooks/pre-commit", "+x"]],
  ["settings of the agent", ["*** Add File: .codex/config.toml", "+x"]],
  [
    "settings of the agent, moved there",
    ["*** Update File: f", "*** Move to: .Codex/config.toml", "-f", "+x"],
  ],
  ["skills of the agent", ["*** Add File: .agents/skills/a.md", "+x"]],
  ["a file in place of .git", ["*** Add File: .git", "+gitdir: ../outside"]],
  [
    "the second of two files",
    ["*** Update File: f", "-f", "+x", "*** Add File: ../outside/new", "+x"],
  ],
];

test.each(refused)("%s is refused, and no file changes", async (_name, lines) => {
  await using place = await makePlace();
  const before = await hostState(place.path);

  const answer = await attack(join(place.path, "ws"), toPatch(lines, place.path));

  expect(answer).toMatch(/^(does not fit|Failed to (write|delete) file \S+: )/);
  expect(await hostState(place.path)).toEqual(before);
});

test.runIf(isRoot)("the same is refused for an ordinary user", async () => {
  await using tools = await temporaryFolder();
  await using place = await makePlace(NOBODY);
  const attackAs = await attackAsNobody(tools.path);
  const before = await hostState(place.path);

  const texts = refused.map(([, lines]) => toPatch(lines, place.path));
  const answers = await attackAs(join(place.path, "ws"), ...texts);

  expect(answers.length).toBe(refused.length);
  for (const answer of answers) {
    expect(answer).toMatch(/^(does not fit|Failed to (write|delete) file \S+: )/);
  }
  expect(await hostState(place.path)).toEqual(before);
});

test.runIf(isRoot)(
  "what the system forbids an ordinary user is not done by way of a rename",
  async () => {
    await using tools = await temporaryFolder();
    await using place = await makePlace(NOBODY);
    const ws = join(place.path, "ws");
    const attackAs = await attackAsNobody(tools.path);
    await mkdir(join(ws, "locked"));
    await writeFile(join(ws, "locked/f"), "f\n");
    await chmod(join(ws, "locked"), 0o755);
    await chmod(join(ws, "locked/f"), 0o644);
    await chmod(join(ws, "f"), 0o444);
    const before = await hostState(place.path);

    const answers = await attackAs(
      ws,
      toPatch(["*** Update File: f", "-f", "+x"], ""),
      toPatch(["*** Add File: locked/new", "+x"], ""),
      toPatch(["*** Delete File: locked/f"], ""),
    );

    expect(answers).toEqual([
      `Failed to write file ${ws}/f: Permission denied (os error 13)\n`,
      `Failed to write file ${ws}/locked/new: Permission denied (os error 13)\n`,
      `Failed to delete file ${ws}/locked/f: Permission denied (os error 13)\n`,
    ]);
    expect(await hostState(place.path)).toEqual(before);
  },
);

test("a correct update is applied", async () => {
  await using tools = await temporaryFolder();
  await using place = await makePlace(isRoot ? NOBODY : undefined);
  const ws = join(place.path, "ws");
  const attackAs = isRoot ? await attackAsNobody(tools.path) : undefined;
  const before = await hostState(place.path, 0o700);
  const patch = toPatch(["*** Update File: f", "-f", "+x", "*** Add File: .github/a", "+a"], "");

  const answers = attackAs ? await attackAs(ws, patch) : [await attack(ws, patch)];

  expect(answers).toEqual(["applied"]);
  expect(await hostState(place.path, 0o700)).toEqual({
    ...before,
    "ws/f": "file 600 x\n",
    "ws/.github": "folder 700",
    "ws/.github/a": "file 600 a\n",
  });
});

test("a file outside with a hard link inside keeps its contents", async () => {
  await using place = await makePlace();
  await link(join(place.path, "outside/victim.txt"), join(place.path, "ws/hard"));

  const answer = await attack(
    join(place.path, "ws"),
    toPatch(["*** Update File: hard", "-victim", "+x"], ""),
  );

  expect(answer).toBe("applied");
  expect((await hostState(place.path, 0o700))["outside/victim.txt"]).toBe("file 600 victim\n");
});

test("a folder replaced by a link while patches are applied is not followed", async () => {
  await using place = await makePlace();
  const ws = join(place.path, "ws");
  await mkdir(join(ws, "swap"));
  const swapper = spawn(process.execPath, ["-e", SWAP, ws, join(place.path, "outside")]);
  const exited = once(swapper, "exit");
  await once(swapper.stdout, "data");

  const answers = new Set<string>();
  for (let round = 0; round < 200; round++) {
    const lines = [`*** Add File: swap/a${round}`, "+x", `*** Add File: swap/b/c${round}`, "+x"];
    answers.add((await attack(ws, toPatch(lines, ""))).replaceAll(/\d+/g, "N"));
  }
  swapper.kill();
  await exited;

  expect(await readdir(join(place.path, "outside"))).toEqual(["victim.txt"]);
  expect(answers.size).toBeGreaterThan(1); // the swaps did happen in between
  const left = (await readdir(ws, { recursive: true })).filter((name) => name.includes(".quire-"));
  expect(left).toEqual([]);
});

/**
 * Replaces a folder with a link and back, as fast as possible; removes a folder created in between.
 */
const SWAP = `
  const { existsSync, renameSync, rmSync, symlinkSync } = require("node:fs");
  const [ws, outside] = process.argv.slice(1);
  const attempt = (action) => { try { action(); } catch {} };
  const clear = () => rmSync(ws + "/swap", { recursive: true, force: true });
  const step = () => {
    for (let i = 0; i < 50; i++) {
      if (existsSync(ws + "/real")) attempt(clear);
      else attempt(() => renameSync(ws + "/swap", ws + "/real"));
      attempt(() => symlinkSync(outside, ws + "/swap"));
      attempt(clear);
      attempt(() => renameSync(ws + "/real", ws + "/swap"));
    }
    setImmediate(step);
  };
  console.log("ready");
  step();
`;

async function makePlace(owner?: number) {
  const place = await temporaryFolder();
  await place.write({
    "outside/victim.txt": "victim\n",
    "ws/f": "f\n",
    "ws/.git/config": "[core]\n",
    "ws/sub/.git/config": "[core]\n",
  });
  const ws = join(place.path, "ws");
  await symlink("../outside", join(ws, "d"));
  await symlink("../outside/victim.txt", join(ws, "l"));
  await symlink("../outside/nothing", join(ws, "dangling"));
  await symlink(".git", join(ws, "g"));
  await chmod(join(place.path, "outside"), 0o755);
  await chmod(join(place.path, "outside/victim.txt"), 0o644);
  await chmod(join(ws, "sub/.git/config"), 0o644);
  if (owner !== undefined) {
    const names = ["ws", "ws/f", "ws/.git", "ws/.git/config", "ws/sub", "ws/sub/.git", "outside"];
    for (const name of names) await chown(join(place.path, name), owner, owner);
  }
  return place;
}

function toPatch(lines: string[], place: string): string {
  const text = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  return text.replaceAll("OUTSIDE", join(place, "outside"));
}
