import { expect, test } from "vitest";
import { endTurn, opened, readyApp, startTurn } from "../test-app.js";

const command = {
  kind: "command",
  threadId: opened.thread.id,
  turnId: "turn-1",
  itemId: "c",
  command: "/bin/bash -lc 'npm install left-pad'",
  cwd: "/project",
  reason: "Needs the network",
};
const rule = ["npm", "install"];

async function askCommand(params: object = {}) {
  const app = await readyApp();
  startTurn(app);
  const item = {
    type: "commandExecution",
    id: "c",
    command: command.command,
    status: "inProgress",
  };
  app.server.notify("item/started", { item });
  await app.until("Running npm install");
  const answer = app.server.ask("item/commandExecution/requestApproval", { ...command, ...params });
  await app.until("Allow this command to run?");
  return { app, answer };
}

test.each<[string, object, unknown]>([
  ["y", {}, { decision: "accept" }],
  ["enter", {}, { decision: "accept" }],
  ["a", {}, { decision: "acceptForSession" }],
  ["n", {}, { decision: "decline" }],
  ["escape", {}, { decision: "cancel" }],
  ["ctrl+c", {}, { decision: "cancel" }],
  [
    "p",
    { proposedExecpolicyAmendment: rule },
    { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: rule } } },
  ],
])("key %s answers a command approval %j with %j", async (key, params, decision) => {
  const { app, answer } = await askCommand(params);
  await using _ = app;
  app.keys(key);
  expect(await answer).toEqual(decision);
  await app.until("Running npm install");
});

test("the command, its folder and the reason are shown; the item itself is hidden meanwhile", async () => {
  const { app } = await askCommand();
  await using _ = app;
  const screen = app.screen().join("\n");
  expect(screen).toContain("  Needs the network\n\n  $ npm install left-pad\n    in /project");
  expect(screen).toContain("◆ Waiting for approval");
  expect(screen).not.toContain("Running npm install");
});

test.each<[string, object, boolean]>([
  ["the server proposes none", {}, false],
  ["the server proposes null", { proposedExecpolicyAmendment: null }, false],
  ["the server proposes one", { proposedExecpolicyAmendment: rule }, true],
  [
    "it is not among the decisions",
    { proposedExecpolicyAmendment: rule, availableDecisions: ["accept"] },
    false,
  ],
  [
    "it is among the decisions",
    {
      proposedExecpolicyAmendment: rule,
      availableDecisions: [
        "accept",
        { acceptWithExecpolicyAmendment: { execpolicy_amendment: rule } },
      ],
    },
    true,
  ],
])("a lasting rule is offered only by the server: %s", async (_, params, isOffered) => {
  const { app, answer } = await askCommand(params);
  await using __ = app;
  const label = "don't ask again for commands that start with `npm install` (p)";
  expect(app.screen().join("\n").includes(label)).toBe(isOffered);
  app.keys("p", "n");
  const result = (await answer) as { decision: unknown };
  expect(typeof result.decision === "object").toBe(isOffered);
});

test("d denies with instructions, which steer the running turn", async () => {
  const { app, answer } = await askCommand();
  await using _ = app;
  app.keys("d");
  await app.until("What should the agent do instead?");
  app.type("use the cache");
  app.keys("enter");
  expect(await answer).toEqual({ decision: "decline" });
  expect(app.server.sent("turn/steer")).toMatchObject([{ input: [{ text: "use the cache" }] }]);
});

test("d without instructions returns to the approval", async () => {
  const { app, answer } = await askCommand();
  await using _ = app;
  app.keys("d");
  await app.until("What should the agent do instead?");
  app.keys("escape");
  await app.until("Allow this command to run?");
  app.keys("y");
  expect(await answer).toEqual({ decision: "accept" });
});

test("an approval that another client answers closes", async () => {
  await using app = await readyApp();
  startTurn(app);
  const settled = new AbortController();
  const answer = app.server.ask("item/commandExecution/requestApproval", command, settled.signal);
  await app.until("Allow this command to run?");
  settled.abort();
  expect(await answer).toEqual({ decision: "cancel" });
  await app.untilGone("Allow this command to run?");
});

test("approvals are asked one at a time", async () => {
  await using app = await readyApp();
  startTurn(app);
  const ask = (text: string) =>
    app.server.ask("item/commandExecution/requestApproval", { ...command, command: text });
  const answers = [ask("make one"), ask("make two")];
  expect(await app.until("$ make one")).not.toContain("make two");
  app.keys("y");
  await app.until("$ make two");
  app.keys("n");
  expect(await Promise.all(answers)).toEqual([{ decision: "accept" }, { decision: "decline" }]);
});

test("keys of a word that was being typed do not answer", async () => {
  await using app = await readyApp();
  startTurn(app);
  app.type("maybe");
  const answer = app.server.ask("item/commandExecution/requestApproval", command);
  await app.until("Allow this command to run?");
  app.type("y");
  await expect(Promise.race([answer, Promise.resolve("pending")])).resolves.toBe("pending");
  expect(app.screen().join("\n")).toContain("Allow this command to run?");
});

test("input for a running command is asked for as such", async () => {
  await using app = await readyApp();
  startTurn(app);
  void app.server.ask("item/commandExecution/requestApproval", { ...command, kind: "writeStdin" });
  await app.until("Allow this input to the running command?");
});

test.each<[string, unknown]>([
  ["y", { decision: "accept" }],
  ["a", { decision: "acceptForSession" }],
  ["n", { decision: "decline" }],
  ["escape", { decision: "cancel" }],
])("key %s answers a file change with %j", async (key, decision) => {
  await using app = await readyApp();
  startTurn(app);
  const changes = [{ path: "/project/a.txt", kind: { type: "add" }, diff: "hello\n" }];
  const item = { type: "fileChange", id: "p", changes, status: "inProgress" };
  app.server.notify("item/started", { item });
  const answer = app.server.ask("item/fileChange/requestApproval", {
    itemId: "p",
    reason: "Writes a file",
    grantRoot: "/srv",
  });
  const screen = await app.until("Apply these changes?");
  expect(screen).toContain("Also requests write access to /srv for the rest of the session");
  expect(screen).toMatch(/a\.txt \(\+1 -0\)\n.*1 \+hello/);
  app.keys(key);
  expect(await answer).toEqual(decision);
});

test("v shows the whole of a long command on the full screen", async () => {
  const long = Array.from({ length: 80 }, (_, index) => `echo ${index}`).join("\n");
  const { app, answer } = await askCommand({ command: `/bin/bash -lc '${long}'` });
  await using _ = app;
  expect(app.screen().join("\n")).toContain("more lines (v to view all)");
  app.keys("v");
  await app.until("q to close");
  app.keys("end");
  await app.until("    echo 79");
  app.keys("q");
  await app.until("more lines (v to view all)");
  app.keys("n");
  expect(await answer).toEqual({ decision: "decline" });
});

test("a command that was still pending when the turn ended is shown as denied", async () => {
  const { app } = await askCommand();
  await using _ = app;
  endTurn(app, undefined, "interrupted");
  await app.until("✗ Denied npm install left-pad");
});

test("an approval of a helper agent names the agent, and its answer reaches the agent", async () => {
  const app = await readyApp();
  await using _ = app;
  startTurn(app);
  const item = {
    type: "subAgentActivity",
    id: "s",
    kind: "started",
    agentThreadId: "agent-1",
    agentPath: "/root/tests",
  };
  app.server.notify("item/completed", { item });
  const params = { ...command, threadId: "agent-1", itemId: "of-agent" };
  const answer = app.server.ask("item/commandExecution/requestApproval", params);
  await app.until("/root/tests: Allow this command to run?");
  app.keys("y");

  expect(await answer).toEqual({ decision: "accept" });
});
