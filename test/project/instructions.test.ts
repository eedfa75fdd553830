import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readProjectDocs, readUserInstructions } from "../../src/project/index.js";
import { temporaryFolder } from "./temporary-folder.js";

test("files from the root of the project down to the folder are joined, and no others", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "AGENTS.md": "outside",
    "repo/.git/HEAD": "",
    "repo/AGENTS.md": "root",
    "repo/a/b/AGENTS.md": "b",
    "repo/a/other/AGENTS.md": "other",
    "repo/a/b/c/AGENTS.md": "c",
  });
  const repo = join(folder.path, "repo");

  expect(await readProjectDocs({ cwd: join(repo, "a/b") })).toEqual({
    text: "root\n\nb",
    sources: [join(repo, "AGENTS.md"), join(repo, "a/b/AGENTS.md")],
    warnings: [],
  });
});

test("another marker can make a folder the root, and none makes it the folder itself", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    ".git/HEAD": "",
    "AGENTS.md": "1",
    "a/.hg/": "",
    "a/AGENTS.md": "2",
    "a/b/AGENTS.md": "3",
  });
  const cwd = join(folder.path, "a/b");

  const read = async (rootMarkers?: string[]) => (await readProjectDocs({ cwd, rootMarkers })).text;

  expect(await read()).toBe("1\n\n2\n\n3");
  expect(await read([".hg"])).toBe("2\n\n3");
  expect(await read([])).toBe("3");
});

test("of each folder the preferred file is taken", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    ".git/HEAD": "",
    "AGENTS.md": "usual",
    "AGENTS.override.md": "override",
    "a/OTHER.md": "other",
    "a/LAST.md": "last",
    "secret.md": "secret",
  });
  const fallbackFilenames = ["../secret.md", join(folder.path, "secret.md"), "OTHER.md", "LAST.md"];
  const options = { cwd: join(folder.path, "a"), fallbackFilenames };

  expect((await readProjectDocs(options)).text).toBe("override\n\nother");
  expect((await readProjectDocs({ ...options, overrideFiles: false })).text).toBe("usual\n\nother");
});

test("an exceeded budget is reported, and cuts no character", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    ".git/HEAD": "",
    "AGENTS.md": "aaé",
    "a/AGENTS.md": "bb",
    "a/b/AGENTS.md": "",
  });
  const cwd = join(folder.path, "a/b");

  expect(await readProjectDocs({ cwd, maxBytes: 3 })).toEqual({
    text: "aa",
    sources: [join(folder.path, "AGENTS.md")],
    warnings: [
      `${join(folder.path, "AGENTS.md")} was truncated after 3 bytes: project_doc_max_bytes is reached`,
      `${join(folder.path, "a/AGENTS.md")} was skipped: project_doc_max_bytes is reached`,
    ],
  });
});

test("anything but a regular file is reported and harmless", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".git/HEAD": "", "a/b/c/AGENTS.md": new Uint8Array([0x61, 0xff, 0x62]) });
  await mkdir(join(folder.path, "AGENTS.md"));
  await promisify(execFile)("mkfifo", [join(folder.path, "a/AGENTS.md")]);
  await symlink("nowhere", join(folder.path, "a/b/AGENTS.md"));

  const docs = await readProjectDocs({ cwd: join(folder.path, "a/b/c") });

  expect(docs.text).toBe("a\ufffdb");
  expect(docs.warnings).toEqual([
    `${join(folder.path, "AGENTS.md")} is not read: it is not a file`,
    `${join(folder.path, "a/AGENTS.md")} is not read: it is not a file`,
  ]);
});

test("a file of many megabytes costs no more than the budget", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "AGENTS.md": "x".repeat(30_000_000) });

  expect((await readProjectDocs({ cwd: folder.path })).text).toHaveLength(32 * 1024);
});

test("[security H7] a link is followed within the project; one that leads out is not read", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "outside.md": "outside",
    "repo/.git/HEAD": "",
    "repo/docs.md": "docs",
    "repo/a/": "",
  });
  await symlink("docs.md", join(folder.path, "repo/AGENTS.md"));
  await symlink("../../outside.md", join(folder.path, "repo/a/AGENTS.md"));

  const docs = await readProjectDocs({ cwd: join(folder.path, "repo/a") });

  expect(docs.text).toBe("docs");
  expect(docs.sources).toEqual([join(folder.path, "repo/AGENTS.md")]);
  expect(docs.warnings).toEqual([
    `${join(folder.path, "repo/a/AGENTS.md")} was skipped: it links to ${join(folder.path, "outside.md")}, outside the project`,
  ]);
});

test.each([
  ["a file of the system", "/etc/passwd"],
  ["a device", "/dev/zero"],
  ["our own environment", "/proc/self/environ"],
  ["a name beside the project that begins like it", "../repo-evil/secret.md"],
  ["a chain of links", "chain.md"],
  ["the folder above by a link of it", "up/outside.md"],
  ["a file that is not there", "../../nowhere.md"],
])("[security H7] AGENTS.md as a link to %s is not read", async (_, target) => {
  await using folder = await temporaryFolder();
  await folder.write({
    "outside.md": "s3cret",
    "repo-evil/secret.md": "s3cret",
    "repo/.git/HEAD": "",
  });
  await symlink("../outside.md", join(folder.path, "repo/chain.md"));
  await symlink("..", join(folder.path, "repo/up"));
  await symlink(target, join(folder.path, "repo/AGENTS.md"));

  const docs = readProjectDocs({ cwd: join(folder.path, "repo") });

  expect(docs.text).toBeUndefined();
  expect(docs.warnings.length).toBeLessThanOrEqual(1);
});

test("[security H7] a fallback name in a linked folder is not read either", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "secret/NOTES.md": "s3cret", "repo/.git/HEAD": "" });
  await symlink("../secret", join(folder.path, "repo/docs"));

  const cwd = join(folder.path, "repo");
  const docs = readProjectDocs({ cwd, fallbackFilenames: ["docs/NOTES.md"] });

  expect(docs.text).toBeUndefined();
});

test("a missing folder has no instructions", async () => {
  await using folder = await temporaryFolder();

  const docs = await readProjectDocs({ cwd: join(folder.path, "gone") });

  expect(docs).toEqual({ text: undefined, sources: [], warnings: [] });
});

test("the user's own words come first, then the project's, then the skills", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "home/AGENTS.md": "\n mine \n", "project/AGENTS.md": "ours\n" });
  const home = join(folder.path, "home");
  const cwd = join(folder.path, "project");
  const skill = { name: "s", description: "does s", path: "/s/SKILL.md", scope: "user" } as const;

  const read = (options: object) => readUserInstructions({ home, cwd, ...options });

  expect((await read({})).text).toBe("mine\n\n--- project-doc ---\n\nours\n");
  expect((await read({ maxBytes: 0 })).text).toBe("mine");
  const withSkills = (await read({ maxBytes: 0, skills: [skill, { ...skill, enabled: false }] }))
    .text;
  expect(withSkills?.split("\n").slice(0, 3)).toEqual(["mine", "", "## Skills"]);
  expect(withSkills?.match(/^- s: .*$/gm)).toEqual(["- s: does s (file: /s/SKILL.md)"]);
});

test("the user's override goes before the usual file unless it is blank", async () => {
  await using folder = await temporaryFolder();
  const home = folder.path;
  const cwd = join(folder.path, "empty");
  await folder.write({ "empty/": "", "AGENTS.override.md": " \n", "AGENTS.md": "usual" });

  expect((await readUserInstructions({ home, cwd })).text).toBe("usual");
  await folder.write({ "AGENTS.override.md": "override" });
  expect((await readUserInstructions({ home, cwd })).sources).toEqual([
    join(home, "AGENTS.override.md"),
  ]);
});
