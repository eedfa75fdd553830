import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChatReader, type ChatReaderOptions } from "../../../src/model/chat/chat-reader.js";
import { LoweredTools } from "../../../src/model/lowered/lowered-tools.js";
import type { StreamItem } from "../../../src/model/types.js";
import { behaviorOf } from "../../support/model.js";
import { adds, counts, finishes, toEvent, usage } from "./chat-server.js";

function readerOf(options: Partial<ChatReaderOptions> = {}): ChatReader {
  let ids = 0;
  return new ChatReader({
    provider: { wire_api: "chat", base_url: "http://here/v1" },
    behavior: behaviorOf("current"),
    tools: new LoweredTools([]),
    newId: () => String(++ids),
    ...options,
  });
}

/** Returns all items of a complete stream. */
function readAll(chunks: (object | string)[], options?: Partial<ChatReaderOptions>): StreamItem[] {
  const reader = readerOf(options);
  const items = [...reader.feed(chunks.map(toEvent).join(""))];
  if (!reader.ended) items.push(...reader.finish());
  return items;
}

const created: StreamItem = { type: "created", responseId: "chatcmpl-1" };
const done = (text: string, id = "msg_1"): StreamItem => ({
  type: "item_done",
  item: { type: "message", id, role: "assistant", content: [{ type: "output_text", text }] },
});
const thought = (text: string, id = "rs_1"): StreamItem => ({
  type: "item_done",
  item: {
    type: "reasoning",
    id,
    summary: [],
    content: [{ type: "reasoning_text", text }],
    encrypted_content: null,
  },
});
const called = (name: string, args: string, call_id: string): StreamItem => ({
  type: "item_done",
  item: { type: "function_call", name, arguments: args, call_id },
});
const completed = (with_?: typeof usage): StreamItem => ({
  type: "completed",
  responseId: "chatcmpl-1",
  usage: with_,
});

const callPiece = (piece: object) => adds({ tool_calls: [piece] });

describe("an answer", () => {
  test("is one message, however it is cut, and its numbers end it", () => {
    const chunks = [
      adds({ role: "assistant", content: "" }),
      adds({ content: "Hel" }),
      adds({ content: "lo." }),
      finishes("stop"),
      counts,
      "[DONE]",
    ];

    expect(readAll(chunks)).toEqual([
      created,
      {
        type: "item_added",
        item: { type: "message", id: "msg_1", role: "assistant", content: [] },
      },
      { type: "text_delta", delta: "Hel", itemId: "msg_1" },
      { type: "text_delta", delta: "lo.", itemId: "msg_1" },
      done("Hello."),
      completed(usage),
    ]);
  });

  test("yields the same items wherever the network splits it", () => {
    const chunks = [
      adds({ reasoning: "Hm… ü" }),
      adds({ content: "día" }),
      callPiece({ index: 0, id: "c1", function: { name: "f", arguments: '{"a":' } }),
      callPiece({ index: 0, function: { arguments: '"é"}' } }),
      finishes("tool_calls"),
      counts,
      "[DONE]",
    ];
    const whole = chunks.map(toEvent).join("");
    const expected = readAll(chunks);

    fc.assert(
      fc.property(fc.array(fc.nat(whole.length)), (places) => {
        const reader = readerOf();
        const cuts = [0, ...places.sort((a, b) => a - b), whole.length];
        const items = cuts
          .slice(1)
          .flatMap((end, index) => [...reader.feed(whole.slice(cuts[index], end))]);
        expect(items).toEqual(expected);
      }),
    );
  });

  test.each([
    ["with [DONE]", ["[DONE]"]],
    ["with the end of the stream", []],
  ])("without numbers is complete %s", (_, last) => {
    expect(readAll([adds({ content: "a" }), finishes("stop"), ...last]).slice(-2)).toEqual([
      done("a"),
      completed(),
    ]);
  });

  test("that ends with [DONE] alone is complete", () => {
    expect(readAll([adds({ content: "a" }), "[DONE]"]).slice(-2)).toEqual([done("a"), completed()]);
  });

  test("that breaks off is a failure that may be asked again", () => {
    expect(readAll([adds({ content: "a" })]).at(-1)).toEqual({
      type: "failed",
      failure: {
        kind: "stream_closed",
        message: "stream disconnected before completion: stream closed before response.completed",
        retryable: true,
      },
    });
  });

  test("of the whole kind is read too", () => {
    const message = { content: "a", reasoning: "r" };
    const chunk = { id: "chatcmpl-1", choices: [{ message, finish_reason: "stop" }] };

    expect(readAll([chunk]).filter(({ type }) => type === "item_done")).toEqual([
      thought("r"),
      done("a", "msg_2"),
    ]);
  });

  test("may come in parts, and may be a refusal", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "r" }] },
      { type: "text", text: "a" },
    ];

    expect(readAll([adds({ content: parts }), finishes("stop")]).slice(-2)).toEqual([
      done("a", "msg_2"),
      completed(),
    ]);
    expect(readAll([adds({ refusal: "No." }), finishes("stop")]).at(-2)).toEqual(done("No."));
  });

  test("ignores input that is not a response", () => {
    const chunks = ["not json", "[1]", { choices: 7 }, { choices: [null] }, { usage: 1 }];
    const odd = [adds({ content: 7, tool_calls: "x", reasoning: [] }), adds({ content: "a" })];

    expect(readAll([...chunks, ...odd, finishes("stop")]).slice(-2)).toEqual([
      done("a"),
      completed(),
    ]);
  });
});

describe("reasoning", () => {
  test.each([
    ["reasoning", { reasoning: "Hm." }, "reasoning"],
    ["reasoning_content", { reasoning_content: "Hm." }, "reasoning_content"],
    ["both", { reasoning: "Hm.", reasoning_content: "Hm." }, "reasoning"],
    ["an object with text", { reasoning: { text: "Hm." } }, "reasoning"],
    ["an object with content", { reasoning: { content: "Hm." } }, "reasoning"],
  ])("is read from %s and ends where the answer starts", (_, delta, field) => {
    const fields: string[] = [];
    const chunks = [adds(delta), adds({ content: "a" }), finishes("stop")];

    const items = readAll(chunks, { onReasoningField: (name) => fields.push(name) });

    expect(items).toEqual([
      created,
      {
        type: "item_added",
        item: {
          type: "reasoning",
          id: "rs_1",
          summary: [],
          content: null,
          encrypted_content: null,
        },
      },
      { type: "raw_reasoning_delta", delta: "Hm.", itemId: "rs_1", index: 0 },
      thought("Hm."),
      {
        type: "item_added",
        item: { type: "message", id: "msg_2", role: "assistant", content: [] },
      },
      { type: "text_delta", delta: "a", itemId: "msg_2" },
      done("a", "msg_2"),
      completed(),
    ]);
    expect(fields).toEqual([field]);
  });

  test("between two pieces of an answer does not cut it in two", () => {
    const chunks = [
      adds({ content: "a" }),
      adds({ reasoning: "r" }),
      adds({ content: "b" }),
      finishes("stop"),
    ];

    expect(readAll(chunks).filter(({ type }) => type === "item_done")).toEqual([
      thought("r", "rs_2"),
      done("ab"),
    ]);
  });

  test("ends before a call is reported", () => {
    const chunks = [
      adds({ reasoning: "r" }),
      callPiece({ index: 0, id: "c1", function: { name: "run", arguments: "{}" } }),
      finishes("tool_calls"),
    ];

    expect(readAll(chunks).slice(-3)).toEqual([
      thought("r"),
      called("run", "{}", "c1"),
      completed(),
    ]);
  });
});

describe("calls", () => {
  const name = (text: string, id?: string, index?: number, args = "") => ({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: { name: text, arguments: args },
  });
  const args = (text: string, index?: number) => ({
    ...(index === undefined ? {} : { index }),
    function: { arguments: text },
  });

  test.each<[string, object[], [string, string, string][]]>([
    [
      "that come one after the other",
      [name("f", "c1", 0), args('{"a"', 0), args(":1}", 0), name("g", "c2", 1), args("{}", 1)],
      [
        ["f", '{"a":1}', "c1"],
        ["g", "{}", "c2"],
      ],
    ],
    [
      "that come interleaved",
      [name("f", "c1", 0), name("g", "c2", 1), args("[", 0), args("{}", 1), args("]", 0)],
      [
        ["f", "[]", "c1"],
        ["g", "{}", "c2"],
      ],
    ],
    [
      "whose name comes with every piece",
      [name("f", "c1", 0, "{"), name("f", "c1", 0, "}")],
      [["f", "{}", "c1"]],
    ],
    [
      "that all have the same index",
      [name("f", "c1", 0, "{}"), name("g", "c2", 0, "{}")],
      [
        ["f", "{}", "c1"],
        ["g", "{}", "c2"],
      ],
    ],
    [
      "without an index",
      [name("f", "c1"), args("{"), args("}"), name("g", "c2", undefined, "{}")],
      [
        ["f", "{}", "c1"],
        ["g", "{}", "c2"],
      ],
    ],
    [
      "without index and id",
      [name("f", undefined, undefined, "{}"), name("f", undefined, undefined, "[]")],
      [
        ["f", "{}", "call_1"],
        ["f", "[]", "call_2"],
      ],
    ],
    ["without arguments", [name("f", "c1", 0)], [["f", "{}", "c1"]]],
    [
      "whose arguments are an object",
      [{ index: 0, id: "c1", function: { name: "f", arguments: { a: 1 } } }],
      [["f", '{"a":1}', "c1"]],
    ],
  ])("%s are put together", (_, pieces, expected) => {
    const items = readAll([...pieces.map(callPiece), finishes("tool_calls"), "[DONE]"]);

    expect(items).toEqual([created, ...expected.map((call) => called(...call)), completed()]);
  });

  test("are run though the server calls it a stop", () => {
    expect(readAll([callPiece(name("f", "c1", 0)), finishes("stop")]).at(-2)).toEqual(
      called("f", "{}", "c1"),
    );
  });

  test("come after the model's message", () => {
    const chunks = [callPiece(name("f", "c1", 0)), adds({ content: "a" }), finishes("tool_calls")];

    expect(readAll(chunks).slice(-3)).toEqual([done("a"), called("f", "{}", "c1"), completed()]);
  });

  test("that were cut off are not run", () => {
    const chunks = [callPiece(name("f", "c1", 0, '{"command":["rm"')), finishes("length")];

    expect(readAll(chunks)).toEqual([
      created,
      {
        type: "failed",
        failure: {
          kind: "response_failed",
          message:
            "stream disconnected before completion: Incomplete response returned, reason: length",
          retryable: true,
        },
      },
    ]);
  });
});

describe("a failure", () => {
  test("of the model has its message", () => {
    const error = { code: "insufficient_quota", message: "m" };

    expect(readAll([{ error }]).at(-1)).toMatchObject({
      type: "failed",
      failure: { kind: "quota" },
    });
    expect(readAll([{ error: "out of memory" }]).at(-1)).toEqual({
      type: "failed",
      failure: {
        kind: "response_failed",
        message: "stream disconnected before completion: out of memory",
        retryable: true,
      },
    });
  });

  test("by a filter is final, a message that grew too long is not one", () => {
    expect(readAll([finishes("content_filter")]).at(-1)).toMatchObject({
      type: "failed",
      failure: { retryable: false },
    });
    expect(readAll([adds({ content: "a" }), finishes("length")]).slice(-2)).toEqual([
      done("a"),
      completed(),
    ]);
  });

  test.each([
    ["text", adds({ content: "x".repeat(40) })],
    ["reasoning", adds({ reasoning: "x".repeat(40) })],
    ["arguments", callPiece({ index: 0, function: { arguments: "x".repeat(40) } })],
  ])("ends an answer whose %s never does", (_, chunk) => {
    const items = readAll(
      Array.from({ length: 100 }, () => chunk),
      { limit: 1000 },
    );

    expect(items.at(-1)).toMatchObject({
      type: "failed",
      failure: { message: expect.stringContaining("the answer is larger than 1000 characters") },
    });
  });

  test("ends an answer that calls without end", () => {
    const chunks = Array.from({ length: 1_001 }, (_, index) =>
      callPiece({ index, id: `c${index}` }),
    );

    expect(readAll(chunks).at(-1)).toMatchObject({
      type: "failed",
      failure: { message: expect.stringContaining("calls more than 1000 tools") },
    });
  });

  test("ends an event that never does", () => {
    const reader = readerOf({ limit: 1000 });

    expect(reader.feed(`data: ${"x".repeat(2000)}`)).toMatchObject([{ type: "failed" }]);
    expect(reader.ended).toBe(true);
  });
});

describe("data that goes back to the server", () => {
  const stateOf = (chunks: (object | string)[]) => {
    const items = readAll(chunks).flatMap((item) => (item.type === "item_done" ? [item.item] : []));
    const states = items.flatMap((item) =>
      item.type === "reasoning" && item.encrypted_content ? [item.encrypted_content] : [],
    );
    return states.map((state) => JSON.parse(state.replace("quire-state:", "")));
  };

  test("is stored before the calls it belongs to", () => {
    const google = { google: { thought_signature: "s" } };
    const piece = { index: 0, id: "c1", function: { name: "f" }, extra_content: google };
    const chunks = [callPiece(piece), finishes("tool_calls")];

    expect(readAll(chunks).map((item) => ("item" in item ? item.item.type : item.type))).toEqual([
      "created",
      "reasoning",
      "function_call",
      "completed",
    ]);
    expect(stateOf(chunks)).toEqual([{ from: "chat http://here/v1", calls: { c1: google } }]);
  });

  test("is joined from its pieces, whose text is shown", () => {
    const piece = (fields: object) => adds({ reasoning_details: [fields] });
    const chunks = [
      piece({ type: "reasoning.text", index: 0, text: "Hm" }),
      piece({ type: "reasoning.text", index: 0, text: ".", signature: "s" }),
      piece({ type: "reasoning.encrypted", index: 1, data: "e" }),
      finishes("stop"),
    ];

    expect(stateOf(chunks)).toEqual([
      {
        from: "chat http://here/v1",
        reasoning_details: [
          { type: "reasoning.text", index: 0, text: "Hm.", signature: "s" },
          { type: "reasoning.encrypted", index: 1, data: "e" },
        ],
      },
    ]);
    expect(readAll(chunks)).toContainEqual(thought("Hm."));
  });
});

test("thoughts in tags are reasoning", () => {
  const chunks = [adds({ content: "<think>Hm.</th" }), adds({ content: "ink>a" })];

  expect(readAll([...chunks, finishes("stop")]).filter(({ type }) => type === "item_done")).toEqual(
    [thought("Hm."), done("a", "msg_2")],
  );
});
