import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foldersSinceMarker, hasMarker, projectFolders } from "../../src/lib/files.js";
import { temporaryFolder } from "../project/temporary-folder.js";

test("a project begins at the nearest folder that has one of its markers", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "top/.hg/": "", "top/a/Makefile": "", "top/a/b/c/": "" });
  const at = (name: string) => join(folder.path, name);

  const found = [["Makefile"], [".hg"], [".hg", "Makefile"], [""]].map((markers) =>
    foldersSinceMarker(at("top/a/b/c"), markers),
  );

  const below = [at("top/a"), at("top/a/b"), at("top/a/b/c")];
  expect(found).toEqual([below, [at("top"), ...below], below, undefined]);
  expect(projectFolders(at("top/a"), ["no such"])).toEqual([at("top/a")]);
});

test("an empty .git folder is no repository, while a file or a link may lead to one", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "repository/.git/HEAD": "ref: refs/heads/main\n",
    "work-tree/.git": "gitdir: elsewhere\n",
    "left-behind/.git/": "",
    "linked/": "",
    "linked-to-empty/": "",
    "none/": "",
  });
  await symlink("../repository/.git", join(folder.path, "linked/.git"));
  await symlink("../left-behind/.git", join(folder.path, "linked-to-empty/.git"));

  const names = ["repository", "work-tree", "left-behind", "linked", "linked-to-empty", "none"];
  const marked = names.filter((name) => hasMarker(join(folder.path, name), ".git"));

  expect(marked).toEqual(["repository", "work-tree", "linked"]);
});
