import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const script = resolve(import.meta.dirname, "../../scripts/plain-english.mjs");

function check(tool: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    env: { PATH: process.env.PATH ?? "", QUIRE_PLAIN_ENGLISH: tool },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Writes a tool that prints its argument and exits with a code. */
function writeTool(code: number): string {
  const folder = mkdtempSync(join(tmpdir(), "quire-plain-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = ['"ok   fine"', `"over " + process.argv[2]`];
  const path = join(folder, "tool.cjs");
  writeFileSync(
    path,
    `${lines.map((line) => `console.log(${line});`).join("\n")}\nprocess.exit(${code});`,
  );
  return path;
}

test("is skipped with a message if the tool is not present", () => {
  expect(check("/nonexistent")).toEqual({
    status: 0,
    stdout: "plain-english: skipped, ../shared is not present\n",
    stderr: "",
  });
});

test("prints nothing if the tree is within the limits", () => {
  expect(check(writeTool(0))).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("fails with the lines over the limit", () => {
  const { status, stderr } = check(writeTool(1));

  expect(status).toBe(1);
  expect(stderr).toContain("over --check");
  expect(stderr).not.toContain("ok ");
});
