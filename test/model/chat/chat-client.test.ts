import { describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../../../src/lib/clock.js";
import { ChatClient } from "../../../src/model/chat/index.js";
import { HttpTransport } from "../../../src/model/http.js";
import type { LoweredClientOptions } from "../../../src/model/lowered/client-options.js";
import { scriptedProvider } from "../../../src/model/scripted/index.js";
import type { ModelAuthSource, ModelProvider, StreamItem } from "../../../src/model/types.js";
import { askAll, behaviorOf, promptOf } from "../../support/model.js";
import { adds, type ChatAnswer, counts, finishes, startChatServer, usage } from "./chat-server.js";

type Options = Partial<Omit<LoweredClientOptions, "provider">> & {
  provider?: Partial<ModelProvider>;
};

/** A client over HTTP; dispose it with `using`. */
function clientOf(baseUrl: string, { provider, ...options }: Options = {}) {
  let ids = 0;
  const env = options.env ?? {};
  const client = new ChatClient({
    behavior: behaviorOf("0.42"),
    transport: new HttpTransport(env),
    originator: "codex_cli_rs",
    userAgent: "test",
    env,
    clock: systemClock,
    random: () => 0.5,
    newId: () => String(++ids),
    ...options,
    provider: { ...scriptedProvider, wire_api: "chat", base_url: baseUrl, ...provider },
  });
  return Object.assign(client, { [Symbol.dispose]: () => client.close() });
}

/** A clock whose sleeps take no time and are recorded. */
function quickClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return { waits, now: () => 0, sleep: async (ms) => void waits.push(ms) };
}

const hello: ChatAnswer = {
  chunks: [adds({ content: "Hello." }), finishes("stop"), counts, "[DONE]"],
};
const helloItems: StreamItem[] = [
  { type: "created", responseId: "chatcmpl-1" },
  { type: "item_added", item: { type: "message", id: "msg_1", role: "assistant", content: [] } },
  { type: "text_delta", delta: "Hello.", itemId: "msg_1" },
  {
    type: "item_done",
    item: {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [{ type: "output_text", text: "Hello." }],
    },
  },
  { type: "completed", responseId: "chatcmpl-1", usage },
];
const accepted: StreamItem = {
  type: "accepted",
  rateLimits: { primary: null, secondary: null },
  turnState: undefined,
};

describe("a request", () => {
  test("sends the request in the format of the API", async () => {
    await using server = await startChatServer([hello]);
    using client = clientOf(`${server.baseUrl}/`, {
      env: { KEY: " sk-1 " },
      provider: {
        env_key: "KEY",
        query_params: { "api-version": "1" },
        http_headers: { "X-Extra": "yes" },
      },
    });

    expect(await askAll(client)).toEqual([accepted, ...helloItems]);

    const [request] = server.requests;
    expect(request?.url).toBe("/v1/chat/completions?api-version=1");
    expect(request?.headers).toMatchObject({
      authorization: "Bearer sk-1",
      accept: "text/event-stream",
      "content-type": "application/json",
      originator: "codex_cli_rs",
      "user-agent": "test",
      "x-extra": "yes",
    });
    expect(request?.headers).not.toHaveProperty("openai-beta");
    expect(request?.body).toEqual({
      model: "mock-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "go" },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("carries the tools and the settings that were made", async () => {
    await using server = await startChatServer([hello]);
    using client = clientOf(server.baseUrl);
    const schema = { type: "object" };
    const prompt = promptOf({
      tools: [{ type: "function", name: "f", description: "d", strict: false, parameters: schema }],
      reasoning: { effort: "low", summary: "auto" },
      verbosity: "high",
      outputSchema: schema,
    });

    await askAll(client, prompt);

    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(server.requests[0]?.body).toMatchObject({
      tools: [
        {
          type: "function",
          function: { name: "f", description: "d", strict: false, parameters: schema },
        },
      ],
      tool_choice: "auto",
      reasoning_effort: "low",
      verbosity: "high",
      response_format: {
        type: "json_schema",
        json_schema: { name: "codex_output_schema", strict: true, schema },
      },
    });
  });

  test("sends reasoning back in the field that the server uses", async () => {
    const thinks = { chunks: [adds({ reasoning_content: "r" }), finishes("stop"), "[DONE]"] };
    await using server = await startChatServer([thinks, hello]);
    using client = clientOf(server.baseUrl);
    const items = await askAll(client);
    const recorded = items.flatMap((item) => (item.type === "item_done" ? [item.item] : []));
    const input = [
      ...promptOf().input,
      ...recorded,
      { type: "message" as const, role: "assistant", content: [] },
    ];

    await askAll(client, promptOf({ input }));

    expect(server.requests[1]?.body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "go" },
      { role: "assistant", content: "", reasoning_content: "r" },
    ]);
  });

  test("is not made without the key it needs, or to no address", async () => {
    using keyless = clientOf("http://127.0.0.1:1/v1", {
      provider: { env_key: "KEY", env_key_instructions: "Get one." },
    });
    using lost = clientOf("nowhere");

    expect(await askAll(keyless)).toEqual([
      {
        type: "failed",
        failure: {
          kind: "auth",
          message: "Missing environment variable: `KEY`. Get one.",
          retryable: false,
        },
      },
    ]);
    expect(await askAll(lost)).toMatchObject([
      { type: "failed", failure: { kind: "connection", retryable: false } },
    ]);
  });
});

describe("a login", () => {
  const login = (tokens: string[]): ModelAuthSource => ({
    current: async () => ({ kind: "api_key", token: tokens[0] ?? "" }),
    refresh: async () => tokens.shift() !== undefined && tokens.length > 0,
  });

  test("that is refused is renewed and tried once more", async () => {
    await using server = await startChatServer([{ status: 401, body: {} }, hello]);
    using client = clientOf(server.baseUrl, {
      auth: login(["old", "new"]),
      provider: { requires_openai_auth: true },
    });

    expect((await askAll(client)).at(-1)?.type).toBe("completed");
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
  });

  test("that cannot be decoded is a failure with the reason", async () => {
    using client = clientOf("http://127.0.0.1:1/v1", {
      auth: {
        current: async () => Promise.reject(new Error("The login cannot be read")),
        refresh: async () => false,
      },
      provider: { requires_openai_auth: true },
    });

    expect(await askAll(client)).toEqual([
      {
        type: "failed",
        failure: { kind: "auth", message: "The login cannot be read", retryable: false },
      },
    ]);
  });

  test("is not shown to a provider that does not ask for it", async () => {
    await using server = await startChatServer([hello]);
    using client = clientOf(server.baseUrl, { auth: login(["secret"]) });

    await askAll(client);

    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });
});

describe("a failure", () => {
  test("that may pass is tried again within the budget", async () => {
    const busy = { status: 429, headers: { "retry-after": "2" }, body: {} };
    await using server = await startChatServer([busy, { status: 503, body: {} }, hello]);
    const clock = quickClock();
    using client = clientOf(server.baseUrl, { clock, provider: { request_max_retries: 2 } });

    const items = await askAll(client);

    expect(items.map(({ type }) => type)).toEqual([
      "retrying",
      "retrying",
      "accepted",
      ...helloItems.map(({ type }) => type),
    ]);
    expect(clock.waits).toEqual([2000, 400]);
  });

  test("that persists is reported with its status", async () => {
    await using server = await startChatServer([
      { status: 400, body: { error: { message: "no such model" } } },
    ]);
    using client = clientOf(server.baseUrl);

    expect(await askAll(client)).toEqual([
      {
        type: "failed",
        failure: {
          kind: "http_status",
          message: 'unexpected status 400 Bad Request: {"error":{"message":"no such model"}}',
          retryable: false,
          status: 400,
        },
      },
    ]);
  });

  test.each<[string, ChatAnswer, object]>([
    [
      "a cut connection",
      { chunks: [adds({ content: "a" })], ends: "cut" },
      { kind: "stream_closed", retryable: true },
    ],
    [
      "a stream that ends too soon",
      { chunks: [adds({ content: "a" })] },
      { kind: "stream_closed", retryable: true },
    ],
    [
      "a stream that stops",
      { chunks: [adds({ content: "a" })], ends: "hang" },
      { kind: "idle_timeout", retryable: true },
    ],
  ])("by %s may be asked again", async (_, answer, failure) => {
    await using server = await startChatServer([answer]);
    // A busy machine may take long to break a connection.
    const stream_idle_timeout_ms = answer.ends === "hang" ? 100 : 20_000;
    using client = clientOf(server.baseUrl, { provider: { stream_idle_timeout_ms } });

    expect((await askAll(client)).at(-1)).toMatchObject({ type: "failed", failure });
  });

  test("after all has been said is none", async () => {
    const chunks = [adds({ content: "Hello." }), finishes("stop")];
    const answers: ChatAnswer[] = [
      { chunks, ends: "cut" },
      { chunks, ends: "hang" },
    ];
    await using server = await startChatServer(answers);
    using client = clientOf(server.baseUrl);
    const end = { type: "completed", responseId: "chatcmpl-1", usage: undefined };

    expect((await askAll(client)).at(-1)).toEqual(end);
    expect((await askAll(client)).at(-1)).toEqual(end);
  });

  test("to reach the server is reported with the address", async () => {
    using client = clientOf("http://127.0.0.1:1/v1");

    expect(await askAll(client)).toMatchObject([
      {
        type: "failed",
        failure: {
          kind: "connection",
          message: expect.stringContaining("http://127.0.0.1:1/v1/chat/completions"),
        },
      },
    ]);
  });
});

test("an abort stops the request at once", async () => {
  await using server = await startChatServer([{ chunks: [adds({ content: "a" })], ends: "hang" }]);
  using client = clientOf(server.baseUrl);
  const abort = new AbortController();
  const seen: StreamItem[] = [];

  const reading = (async () => {
    for await (const batch of client.stream(promptOf(), abort.signal)) {
      seen.push(...batch);
      if (seen.some(({ type }) => type === "text_delta")) abort.abort(new Error("enough"));
    }
  })();

  await expect(reading).rejects.toThrow("enough");
  await expect(client.stream(promptOf(), abort.signal).next()).rejects.toThrow("enough");
});
