/**
 * Model behavior per turn: a short answer, a long one, or one command and a short answer.
 *
 * `command` is for programs that take one turn at a time, `command-once` for threads of one turn.
 */
export type AnswerName = "hello" | "deltas" | "command" | "command-once";

/** Builds all answers once, one for each request of a turn; the long one has so many pieces. */
export function buildAnswers(deltas: number): Record<AnswerName, Buffer[]> {
  const hello = toBytes(message(["Hello ", "there."]));
  const words = Array.from({ length: deltas }, (_, n) => `word${n % 100} `);
  const call = {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: "exec_command",
    arguments: JSON.stringify({ cmd: "echo done" }),
  };
  const command = toBytes([{ type: "response.output_item.done", output_index: 0, item: call }]);
  return {
    hello: [hello],
    deltas: [toBytes(message(words))],
    command: [command, hello],
    "command-once": [command, hello],
  };
}

function message(pieces: readonly string[]): object[] {
  const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
  const item = { type: "message", id: "msg_1", role: "assistant" };
  const content = [{ type: "output_text", text: pieces.join("") }];
  return [
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    ...pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
    { type: "response.output_item.done", output_index: 0, item: { ...item, content } },
  ];
}

function toBytes(events: readonly object[]): Buffer {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 20 },
    output_tokens: 30,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 130,
  };
  const all = [
    { type: "response.created", response: { id: "resp_1" } },
    ...events,
    { type: "response.completed", response: { id: "resp_1", usage } },
  ] as { type: string }[];
  const text = all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return Buffer.from(text.join(""));
}
