import { randomBytes } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { hostState } from "../patch/host-state.js";
import { answerWith, completed, sse, startServer, textDelta } from "../support/http-server.js";
import { type Agent, startAgent } from "./support/agent.js";

type Answer = (outgoing: ServerResponse) => void;
/** True if the user is notified. */
type Outcome = "error" | "fine";

const touch = { command: ["touch", "PWN"] };

/** The model's call, in the pieces sent over the wire. */
const callPieces = [
  sse({
    type: "response.output_item.added",
    item: { type: "function_call", id: "fc_1", name: "shell", call_id: "c1", arguments: "" },
  }),
  sse({
    type: "response.function_call_arguments.delta",
    item_id: "fc_1",
    delta: JSON.stringify(touch),
  }),
];

const openStream = (outgoing: ServerResponse, ...pieces: (string | Buffer)[]) => {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  outgoing.flushHeaders();
  for (const piece of pieces) outgoing.write(piece);
};

/** Misbehavior of a model server in place of an answer, by the id of the case. */
const attacks: [string, Outcome, Answer][] = [
  [
    "STR-01: a stream cut in the middle of a call",
    "error",
    (outgoing) => {
      openStream(outgoing, textDelta("half"), ...callPieces);
      setTimeout(() => outgoing.destroy(), 20);
    },
  ],
  [
    "STR-01: a stream that ends in the middle of a call",
    "error",
    (outgoing) => answerWith(outgoing, ...callPieces),
  ],
  ["STR-02: silence after the headers", "error", (outgoing) => openStream(outgoing)],
  [
    "STR-02: silence in the middle of a call",
    "error",
    (outgoing) => openStream(outgoing, ...callPieces),
  ],
  ["STR-03: garbage for events", "error", (outgoing) => answerWith(outgoing, randomBytes(100_000))],
  [
    "STR-03: garbage between events",
    "error",
    (outgoing) => answerWith(outgoing, ...callPieces, 'data: {"type":\n\n', randomBytes(10_000)),
  ],
  ["STR-03: garbage for HTTP", "error", (outgoing) => outgoing.socket?.end(randomBytes(10_000))],
  [
    "STR-05: a call after two ends",
    "fine",
    (outgoing) => answerWith(outgoing, completed, completed, callDone("c1", JSON.stringify(touch))),
  ],
  [
    "STR-07: events and items of unknown types",
    "fine",
    (outgoing) =>
      answerWith(
        outgoing,
        sse({ type: "response.mystery", item: { type: "function_call" } }),
        sse({ type: "response.output_item.done", item: { type: "shell_call_2", ...touch } }),
        sse({ type: "response.output_item.done", item: null }),
        sse({ type: "response.output_item.done" }),
        sse({ type: "__proto__" }),
        completed,
      ),
  ],
  [
    "STR-08: an error page",
    "error",
    (outgoing) => {
      outgoing.writeHead(500, { "content-type": "text/html" });
      outgoing.end("<html><h1>It broke</h1></html>");
    },
  ],
  ["STR-10: a reset connection", "error", (outgoing) => outgoing.socket?.resetAndDestroy()],
  [
    "STR-10: a connection reset in the middle of a call",
    "error",
    (outgoing) => {
      openStream(outgoing, ...callPieces);
      setTimeout(() => outgoing.socket?.resetAndDestroy(), 20);
    },
  ],
  [
    "STR-11: a call whose arguments are cut",
    "fine",
    (outgoing) => answerWith(outgoing, callDone("c1", '{"command":["touch","PWN"]'), completed),
  ],
  [
    "STR-12: a call of an unknown tool",
    "fine",
    (outgoing) => answerWith(outgoing, callDone("c1", "{}", "shell\u0000"), completed),
  ],
];

test.each(attacks)("%s runs nothing, and the next turn works", async (_, outcome, attack) => {
  let recovered = false;
  await using server = await startServer(listener);
  await using agent = await startAgent({
    modelUrl: server.url,
    provider: "stream_idle_timeout_ms = 300",
  });

  const first = await agent.turn("t1");
  recovered = true;
  const second = await agent.turn("t2");

  expect(first.at(-1)?.type).toBe("task_complete");
  const actual = first.some(({ type }) => type === "error") ? "error" : "fine";
  expect(actual).toBe(outcome);
  expect(second.at(-1)).toMatchObject({
    type: "task_complete",
    last_agent_message: "Still here.",
  });
  await expectNothingRan(agent);

  function listener(...[, outgoing]: Parameters<RequestListener>): void {
    const isFirst = !recovered && server.requests.length === 1;
    if (isFirst) attack(outgoing);
    else answerWith(outgoing, messageDone("Still here."), completed);
  }
});

test("STR-16: a Retry-After delay is respected, and the client is notified", async () => {
  await using server = await startServer((_incoming, outgoing) => {
    if (server.requests.length > 1) {
      return answerWith(outgoing, messageDone("At last."), completed);
    }
    outgoing.writeHead(429, { "retry-after": "1" });
    outgoing.end("{}");
  });
  await using agent = await startAgent({ modelUrl: server.url, retries: 2 });
  const began = performance.now();

  const events = await agent.turn("t");

  expect(performance.now() - began).toBeGreaterThan(900);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(events.filter(({ type }) => type === "stream_error")).toEqual([
    {
      type: "stream_error",
      message: expect.stringMatching(/429; retrying in 1s/),
    },
  ]);
  expect(events.at(-1)).toMatchObject({ last_agent_message: "At last." });
});

function messageDone(text: string): string {
  const content = [{ type: "output_text", text }];
  return sse({
    type: "response.output_item.done",
    item: { type: "message", id: "m1", role: "assistant", content },
  });
}

function callDone(call_id: string, args: string, name = "shell"): string {
  return sse({
    type: "response.output_item.done",
    item: { type: "function_call", id: "fc_1", name, call_id, arguments: args },
  });
}

async function expectNothingRan(agent: Agent): Promise<void> {
  expect(agent.events.map(({ msg }) => msg.type)).not.toContain("exec_command_begin");
  expect(await hostState(agent.workspace)).toEqual({});
  expect(agent.stderr()).toBe("");
}
