import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readCustomPrompts } from "../../../src/project/index.js";
import { temporaryFolder } from "../temporary-folder.js";

test("each Markdown file directly in the folder is a prompt, by name", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "prompts/b.md": "B $1\n",
    "prompts/A.MD": "A",
    "prompts/.md": "no name",
    "prompts/c.txt": "no Markdown",
    "prompts/sub/d.md": "too deep",
    "prompts/dir.md/": "",
    "prompts/bytes.md": new Uint8Array([0xff, 0xfe]),
    "prompts/large.md": "x".repeat(2 * 1024 * 1024),
    "elsewhere.md": "linked",
  });
  await symlink("../elsewhere.md", join(folder.path, "prompts/linked.md"));
  await promisify(execFile)("mkfifo", [join(folder.path, "prompts/pipe.md")]);

  const at = (name: string) => join(folder.path, "prompts", name);
  expect(await readCustomPrompts({ home: folder.path, exclude: new Set(["c"]) })).toEqual([
    { name: "A", path: at("A.MD"), content: "A" },
    { name: "b", path: at("b.md"), content: "B $1\n" },
    { name: "linked", path: at("linked.md"), content: "linked" },
  ]);
});

test("the head of a file is read, or part of the prompt where that is asked for", async () => {
  await using folder = await temporaryFolder();
  const text =
    "---\r\n# note\r\nDescription: 'Tidy: up'\r\nargument_hint: [file] [n]\r\n---\r\nTidy\r\nit.\r\n";
  await folder.write({ "prompts/tidy.md": text });
  const prompt = { name: "tidy", path: join(folder.path, "prompts/tidy.md") };

  expect(await readCustomPrompts({ home: folder.path })).toEqual([
    { ...prompt, description: "Tidy: up", argument_hint: "[file] [n]", content: "Tidy\r\nit.\r\n" },
  ]);
  expect(await readCustomPrompts({ home: folder.path, frontMatter: false })).toEqual([
    { ...prompt, content: text },
  ]);
});

test.each([
  ["is not closed", "---\ndescription: x\nbody"],
  ["does not begin the file", "\n---\ndescription: x\n---\nbody"],
])("a head that %s is part of the prompt", async (_what, text) => {
  await using folder = await temporaryFolder();
  await folder.write({ "prompts/a.md": text });

  expect((await readCustomPrompts({ home: folder.path }))[0]?.content).toBe(text);
});

test("a file that is all head is an empty prompt", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "prompts/a.md": "---\ndescription: x\n---" });

  expect(await readCustomPrompts({ home: folder.path })).toEqual([
    { name: "a", path: join(folder.path, "prompts/a.md"), description: "x", content: "" },
  ]);
});
