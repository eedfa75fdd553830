import { join } from "node:path";
import { expect, test } from "vitest";
import { mainWorkTree, type TrustLevel, trustLevelOf } from "../../../src/config/index.js";
import { makeRepository } from "../../project/git/make-repository.js";
import { temporaryFolder } from "../../project/temporary-folder.js";

test("outside a repository there is no work tree", async () => {
  await using folder = await temporaryFolder();

  expect(mainWorkTree(folder.path)).toBeUndefined();
});

test("a linked work tree is covered by the repository it belongs to", async () => {
  await using repo = await makeRepository();
  await repo.git("worktree", "add", "-q", "../tree", "-b", "side");
  await repo.folder.write({ "tree/deep/er/": "" });

  expect(mainWorkTree(join(repo.folder.path, "tree/deep/er"))).toBe(repo.path);
  expect(mainWorkTree(repo.path)).toBe(repo.path);
});

test("a folder is not covered by a repository that does not know of it", async () => {
  await using repo = await makeRepository();
  await repo.git("worktree", "add", "-q", "../tree", "-b", "side");
  const gitDir = join(repo.path, ".git");
  const at = (name: string) => join(repo.folder.path, name);
  await repo.folder.write({
    "claims-all/.git": `gitdir: ${gitDir}\n`,
    "claims-tree/.git": `gitdir: ${gitDir}/worktrees/tree\n`,
    "says-itself/.git/HEAD": "ref: refs/heads/main\n",
    "says-itself/.git/commondir": gitDir,
    "says-itself/.git/gitdir": at("says-itself/.git"),
    "brings-its-own/.git": "gitdir: worktrees/own\n",
    "brings-its-own/worktrees/own/commondir": gitDir,
    "brings-its-own/worktrees/own/gitdir": at("brings-its-own/.git"),
  });

  expect(mainWorkTree(at("claims-all"))).toBeUndefined();
  expect(mainWorkTree(at("claims-tree"))).toBeUndefined();
  expect(mainWorkTree(at("says-itself"))).toBe(at("says-itself"));
  expect(mainWorkTree(at("brings-its-own"))).toBeUndefined();
});

test("an empty .git folder does not hide the repository around it", async () => {
  await using repo = await makeRepository();
  await repo.folder.write({ "repo/sub/.git/": "", "alone/.git/": "" });

  expect(mainWorkTree(join(repo.folder.path, "repo/sub"))).toBe(repo.path);
  expect(mainWorkTree(join(repo.folder.path, "alone"))).toBeUndefined();
});

test.each([
  [{}, "/p/sub", undefined],
  [{ "/p/sub": "trusted" }, "/p/sub", "trusted"],
  [{ "/p": "trusted" }, "/p/sub", undefined],
  [{ "/p/sub": "untrusted" }, "/p/sub", "untrusted"],
] as const)("outside a repository %j gives %s the trust level %s", (projects, folder, level) => {
  const settings = {
    projects: new Map<string, TrustLevel>(Object.entries(projects)),
    project_root_markers: [".git"],
  };

  expect(trustLevelOf(settings, folder)).toBe(level);
});

test("inside a project its own level comes before that of the root", async () => {
  await using repo = await makeRepository();
  await repo.folder.write({ "repo/sub/": "" });
  const sub = join(repo.path, "sub");
  const level = (entries: [string, TrustLevel][]) =>
    trustLevelOf({ projects: new Map(entries), project_root_markers: [".git"] }, sub);

  expect(level([[repo.path, "trusted"]])).toBe("trusted");
  expect(
    level([
      [repo.path, "trusted"],
      [sub, "untrusted"],
    ]),
  ).toBe("untrusted");
  expect(level([])).toBeUndefined();
});
