import { expect, test } from "vitest";
import { spawnServer, startFailureText } from "../../../src/mcp/stdio/process.js";

const launch = { args: [], env: { PATH: process.env.PATH ?? "" }, cwd: "/" };

test("a started program has its streams and runs in a separate process group", async () => {
  const child = await spawnServer({ ...launch, command: "cat" });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end("hi");
  let output = "";
  for await (const chunk of child.stdout) output += chunk;

  expect(output).toBe("hi");
  expect(await exited).toBe(0);
});

test.each([
  ["ENOENT", "No such file or directory (os error 2)"],
  ["EACCES", "Permission denied (os error 13)"],
])("%s is described like the system does", async (code, text) => {
  const error = Object.assign(new Error("spawn failed"), { code });

  expect(await startFailureText(error, "/")).toBe(text);
});

test("a missing working directory is named instead of the program", async () => {
  const error = await spawnServer({ ...launch, command: "cat", cwd: "/nonexistent" }).catch(
    (reason: unknown) => reason,
  );

  expect(await startFailureText(error, "/nonexistent")).toBe(
    "the working directory /nonexistent does not exist",
  );
});

test("an unknown error keeps its own message", async () => {
  expect(await startFailureText(new Error("odd"), "/")).toBe("odd");
});
