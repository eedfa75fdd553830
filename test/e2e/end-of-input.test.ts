import { expect, test } from "vitest";
import { startProgram } from "../support/program.js";

test("every request is answered, also if the input ends after it", async () => {
  await using program = await startProgram({ args: ["app-server"] });
  const clientInfo = { name: "test", version: "1" };
  program.send({ id: 0, method: "initialize", params: { clientInfo } });
  program.send({ id: 1, method: "thread/list", params: {} });
  program.send({ id: 2, method: "command/exec", params: { command: ["sleep", "0.1"] } });
  program.child.stdin.end();

  expect((await program.exit).code).toBe(0);
  const replies = program.lines as { id?: number; result?: unknown }[];
  const answered = replies.filter(({ result }) => result !== undefined).map(({ id }) => id);
  expect(answered.sort()).toEqual([0, 1, 2]);
});
