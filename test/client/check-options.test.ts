import { expect, test } from "vitest";
import { Codex, CodexError, type CodexOptions, type ThreadOptions } from "../../src/index.js";
import { says, scriptedModel } from "../../src/testing/index.js";

const tool = (name: string) => ({
  spec: { type: "function", name },
  run: async () => ({ text: "", success: true }),
});

/** Options as programs without types give them. */
type Wrong = Record<string, unknown>;

const inThreads: [Wrong, string][] = [
  [{ model: 7 }, "Expected `model` to be"],
  [{ sandboxMode: "ro" }, 'Expected `sandboxMode` to be one of "read-only", "workspace-write", '],
  [{ approvalPolicy: "always" }, 'Expected `approvalPolicy` to be one of "never", "on-request", '],
  [{ webSearchMode: "on" }, 'Expected `webSearchMode` to be one of "disabled", "cached", "live"'],
  [{ webSearchEnabled: "x" }, 'Expected `webSearchEnabled` to be true or false (got "x")'],
  [{ ephemeral: "yes" }, 'Expected `ephemeral` to be true or false (got "yes")'],
  [{ additionalDirectories: "/x" }, "Expected `additionalDirectories` to be a list of strings"],
  [{ config: "x" }, 'Expected `config` to be an object (got "x")'],
  [{ onApproval: "approve" }, 'Expected `onApproval` to be a function (got "approve")'],
  [{ tools: "x" }, "Expected `tools` to be a list of tools, made with `defineTool`"],
  [{ tools: [{ ...tool("a"), spec: { type: "custom" } }] }, "Expected `tools` to be a list"],
  [{ tools: [tool("a b")] }, "Expected `tools` to be a list"],
  [{ tools: [tool("a"), tool("a")] }, '`tools` has two tools named "a"; rename one'],
  [{ sandbox_mode: "x" }, "Unknown option `sandbox_mode` (did you mean `sandboxMode`?)"],
  [{ skipGitRepoCheck: true }, "Unknown option `skipGitRepoCheck` (remove it, "],
];

test.each(inThreads)("a thread refuses the options %j", (options, message) => {
  const codex = new Codex();

  expect(() => codex.startThread(options as ThreadOptions)).toThrow(message);
  expect(() => codex.resumeThread("id", options as ThreadOptions)).toThrow(CodexError);
});

test.each<[Wrong, string]>([
  ...inThreads,
  [{ model: {} }, "or an object with `stream` and `close` (got {})"],
  [{ log: 5 }, "Expected `log` to be a function (got 5)"],
  [{ queues: {} }, "Expected `queues` to be a function"],
  [{ clock: {} }, "Expected `clock` to be an object with `now` and `sleep`"],
  [{ cassette: "x" }, "Expected `cassette` to be a cassette with `attach` and `close`"],
  [{ url: 5 }, "Expected `url` to be a string (got 5)"],
  [{ fleet: {} }, "Expected `fleet` to be an address, or an object with `url` (got {})"],
  [{ token: 5 }, "Expected `token` to be a string, or an object with `file` (got 5)"],
  [{ apiKey: 5 }, "Expected `apiKey` to be a string (got 5)"],
  [{ baseUrl: "nonsense" }, 'Expected `baseUrl` to be an address such as https://host/v1 (got "'],
  [{ env: "x" }, "Expected `env` to be an object"],
  [{ hooks: [] }, "Expected `hooks` to be an object"],
  [{ url: "ws://h", apiKey: "k" }, "`apiKey` is for an engine in this process"],
  [{ url: "ws://h", era: "0.104" }, "`era` is for an engine in this process"],
  [{ url: "ws://h", env: {} }, "`env` is for an engine in this process"],
  [{ fleet: "nats://h", apiKey: "k" }, "cannot be used with `fleet`: set it for the server"],
  [{ token: "t" }, "`token` is for the connection to a server, and there is no `url`"],
  [{ fleet: "nats://h", tls: {} }, "`tls` is for the connection to a server"],
  [{ apikey: "x" }, "Unknown option `apikey` (did you mean `apiKey`?)"],
])("a `Codex` refuses the options %j", (options, message) => {
  const create = () => new Codex(options as CodexOptions);

  expect(create).toThrow(CodexError);
  expect(create).toThrow(message);
});

test.each([[null], [5]])("options that are %j are refused", (options) => {
  const given = options as unknown as ThreadOptions;

  expect(() => new Codex(given)).toThrow(`Expected \`options\` to be an object (got ${options})`);
  expect(() => new Codex().startThread(given)).toThrow(CodexError);
  expect(() => new Codex().resumeThread(options as unknown as string)).toThrow(CodexError);
});

const inTurns: [unknown, unknown, string][] = [
  [5, {}, "Expected `input` to be a text, or a list of parts that is not empty (got 5)"],
  [[], {}, "Expected `input` to be a text, or a list of parts that is not empty (got [])"],
  [["x"], {}, 'Expected `input[0]` to be { type: "text", text }, '],
  [[{ type: "text", text: "a" }, { type: "image" }], {}, "Expected `input[1]` to be "],
  ["hi", null, "Expected `options` to be an object (got null)"],
  ["hi", { signal: {} }, "Expected `signal` to be an AbortSignal (got {})"],
  ["hi", { outputSchema: "x" }, "Expected `outputSchema` to be a JSON Schema"],
  ["hi", { deltas: 1 }, "Expected `deltas` to be true or false (got 1)"],
  ["hi", { outputschema: {} }, "Unknown option `outputschema` (did you mean `outputSchema`?)"],
];

test.each(inTurns)("a turn refuses the input %j with the options %j", async (...given) => {
  const [input, options, message] = given as unknown as [string, object, string];
  await using codex = new Codex({ model: scriptedModel([says("never asked")]) });
  const thread = codex.startThread();
  const refused = { code: "invalid_request", message: expect.stringContaining(message) };

  await expect(thread.run(input, options)).rejects.toMatchObject(refused);
  await expect(thread.runStreamed(input, options)).rejects.toMatchObject(refused);
});

test("requests of a thread refuse what is no signal, and forks unknown options", async () => {
  await using codex = new Codex({ model: scriptedModel([]) });
  const thread = codex.startThread();
  const signal = 5 as unknown as AbortSignal;
  const refused = { code: "invalid_request", message: expect.stringContaining("`signal`") };

  for (const method of ["interrupt", "close", "compact", "listTurns", "goal", "fork"] as const) {
    await expect(thread[method]({ signal })).rejects.toMatchObject(refused);
  }
  await expect(thread.steer("x", { signal })).rejects.toMatchObject(refused);
  const wrong = { lastTurn: "1" } as object;
  await expect(thread.fork(wrong)).rejects.toThrow("did you mean `lastTurnId`?");
});

test("a setting that is null is refused, and so is a log that is none", async () => {
  const config = { a: { b: null } } as unknown as NonNullable<ThreadOptions["config"]>;
  const log = (() => undefined) as unknown as NonNullable<CodexOptions["log"]>;
  await using codex = new Codex({ model: scriptedModel([says("never asked")]), log });

  await expect(codex.startThread({ config }).run("hi")).rejects.toThrow("Expected `config.a.b`");
  await expect(codex.startThread().run("hi")).rejects.toThrow("Expected `log` to return an object");
});
