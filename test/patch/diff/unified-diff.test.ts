import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../../src/patch/index.js";
import { git, pipe } from "../git.js";
import { temporaryFolder } from "../temporary-folder.js";

test.each([
  ["nothing for equal texts", "a\n", "a\n", 3, ""],
  [
    "a changed line between its neighbours",
    "a\nb\nc\nd\n",
    "a\nB\nc\nd\n",
    1,
    "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
  ],
  ["lines put in at the end", "a\nb\n", "a\nb\nc\n", 1, "@@ -2 +2,2 @@\n b\n+c\n"],
  ["a text out of nothing", "", "a\nb\n", 3, "@@ -0,0 +1,2 @@\n+a\n+b\n"],
  ["nothing out of a text", "a\n", "", 3, "@@ -1 +0,0 @@\n-a\n"],
  [
    "a missing last line feed on one side",
    "a\nb",
    "a\nb\n",
    1,
    "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
  ],
  [
    "a missing last line feed on both sides",
    "a\nb",
    "A\nb",
    1,
    "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n",
  ],
  [
    "near changes in one hunk",
    "a\nb\nc\nd\ne\n",
    "A\nb\nc\nd\nE\n",
    2,
    "@@ -1,5 +1,5 @@\n-a\n+A\n b\n c\n d\n-e\n+E\n",
  ],
  [
    "far changes in two hunks",
    "a\nb\nc\nd\n",
    "A\nb\nc\nD\n",
    0,
    "@@ -1 +1 @@\n-a\n+A\n@@ -4 +4 @@\n-d\n+D\n",
  ],
  ["a repeated line put in below its like", "a\nx\nb\n", "a\nx\nx\nb\n", 0, "@@ -2,0 +3 @@\n+x\n"],
])("a diff shows %s", (_name, oldText, newText, context, expected) => {
  expect(unifiedDiff(oldText, newText, { context })).toBe(expected);
});

test("a diff names the files on request", () => {
  const header = { oldName: "a/f", newName: "b/f" };

  expect(unifiedDiff("a\n", "b\n", { header })).toBe("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n");
  expect(unifiedDiff("a\n", "a\n", { header })).toBe("");
});

test("git and patch reproduce the new text from any diff", async () => {
  await using folder = await temporaryFolder({ fast: true });
  const word = fc.constantFrom("a", "b", "c", "", " x", "-", "+", "@@", "é", "\r");
  const lines = fc.array(word, { maxLength: 30 });
  const text = fc.tuple(lines, fc.boolean()).map(([parts, ended]) => {
    const joined = parts.join("\n");
    return joined !== "" && ended ? `${joined}\n` : joined;
  });
  const pairs = fc.sample(fc.tuple(text, text, fc.nat(3)), { numRuns: 500, seed: 7 });
  pairs.push([hardText(1), hardText(2), 3], [hardText(3), `${hardText(3)}x`, 1]);
  const patches: string[] = [];
  for (const [index, [oldText, newText, context]] of pairs.entries()) {
    const name = `f${index}`;
    await folder.write({ [name]: oldText, [`p/${name}`]: oldText });
    const header = { oldName: `a/${name}`, newName: `b/${name}` };
    patches.push(unifiedDiff(oldText, newText, { context, header }));
  }
  await git(folder.path, "init", "--quiet");

  await pipe(folder.path, patches.join(""), "git", "apply", "--unidiff-zero", "-");
  await pipe(
    join(folder.path, "p"),
    patches.join(""),
    "patch",
    "-p1",
    "--binary",
    "--silent",
    "--force",
  );

  for (const [index, [, newText]] of pairs.entries()) {
    expect(await readFile(join(folder.path, `f${index}`), "utf8")).toBe(newText);
    // patch(1) removes a file that becomes empty.
    const patched = await readFile(join(folder.path, `p/f${index}`), "utf8").catch(() => "");
    expect(patched).toBe(newText);
  }
});

test("a long text with thousands of edits is compared fast and correctly", async () => {
  await using folder = await temporaryFolder({ fast: true });
  const oldText = hardText(1, 10_000, 5_000);
  const newText = edited(oldText, 4_000);
  await writeFile(join(folder.path, "f"), oldText);
  const header = { oldName: "a/f", newName: "b/f" };

  const start = performance.now();
  const diff = unifiedDiff(oldText, newText, { header });
  const milliseconds = performance.now() - start;

  expect(milliseconds).toBeLessThan(1_000); // about 50 on an idle machine
  await pipe(folder.path, diff, "git", "apply", "-");
  expect(await readFile(join(folder.path, "f"), "utf8")).toBe(newText);
});

test("adversarial texts are compared in bounded time and correctly", async () => {
  await using folder = await temporaryFolder({ fast: true });
  const oldText = hardText(1, 60_000, 2);
  const newText = hardText(2, 60_000, 2);
  await writeFile(join(folder.path, "f"), oldText);
  const header = { oldName: "a/f", newName: "b/f" };

  const diff = unifiedDiff(oldText, newText, { header });

  await pipe(folder.path, diff, "git", "apply", "-");
  expect(await readFile(join(folder.path, "f"), "utf8")).toBe(newText);
});

/** Generates lines from few or many words, reproducibly. */
function hardText(seed: number, length = 3_000, words = 3): string {
  const next = generator(seed);
  return Array.from({ length }, () => `w${next(words)}\n`).join("");
}

function edited(text: string, edits: number): string {
  const next = generator(9);
  const lines = text.split("\n");
  for (let edit = 0; edit < edits; edit++) {
    const index = next(lines.length - 1);
    if (edit % 3 === 0) lines[index] = `changed ${edit}`;
    else lines.splice(index, edit % 3 === 1 ? 1 : 0, ...(edit % 3 === 1 ? [] : [`new ${edit}`]));
  }
  return lines.join("\n");
}

function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
}
