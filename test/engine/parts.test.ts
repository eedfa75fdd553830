import { expect, test } from "vitest";
import { createQueues } from "../../src/engine/codex.js";
import { elicitationKey } from "../../src/engine/mcp-access.js";
import { toSharedParts } from "../../src/engine/parts.js";
import { noLog } from "../../src/engine/session-log.js";

test("a session shares the engine's clock, ids and readers, and nothing that is created for it", () => {
  const engine = new Proxy({}, { get: (_, name) => name }) as never;

  expect(Object.keys(toSharedParts(engine)).sort()).toEqual([
    "agent",
    "clock",
    "env",
    "era",
    "findResponse",
    "newId",
    "platform",
    "readConversation",
    "readGuard",
    "shell",
    "source",
    "startAgent",
    "worktrees",
  ]);
});

test("questions of two servers with the same id have different keys", () => {
  const keys = [elicitationKey("a", 1), elicitationKey("b", 1), elicitationKey("a", "1")];

  expect(new Set(keys).size).toBe(3);
});

test("the log of an ephemeral session stores nothing", async () => {
  noLog.append({} as never);

  expect(noLog.path).toBeUndefined();
  await expect(noLog.close()).resolves.toBeUndefined();
});

test("queues pass submissions and events in order, until they end", async () => {
  const queues = createQueues();
  queues.submissions.push({ id: "1", op: { type: "interrupt" } });
  queues.submissions.close();
  queues.publish({ id: "1", msg: { type: "shutdown_complete" } });
  queues.end();

  const submissions = [];
  for await (const { id } of queues.submissions) submissions.push(id);
  const events = [];
  for await (const event of queues.events) events.push(event.msg.type);

  expect(submissions).toEqual(["1"]);
  expect(events).toEqual(["shutdown_complete"]);
  expect(queues.room).toBeUndefined();
});
