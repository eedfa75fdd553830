import { nearest } from "../lib/nearest.js";
import { CodexError } from "../protocol/error.js";
import { isRecord } from "../protocol/read/check.js";
import type { OwnTool } from "./own-tools.js";

/** Expectation of an option, in words and as a test. */
interface Expectation {
  expected: string;
  accepts(value: unknown): boolean;
}

type Expectations = Readonly<Record<string, Expectation>>;

const isText = (value: unknown): value is string => typeof value === "string";
const text: Expectation = { expected: "a string", accepts: isText };
const flag: Expectation = {
  expected: "true or false",
  accepts: (value) => typeof value === "boolean",
};
const texts: Expectation = {
  expected: "a list of strings",
  accepts: (value) => Array.isArray(value) && value.every(isText),
};
const object: Expectation = { expected: "an object", accepts: isRecord };
const callback: Expectation = {
  expected: "a function",
  accepts: (value) => typeof value === "function",
};
const signal: Expectation = {
  expected: "an AbortSignal",
  accepts: (value) =>
    has(value, "addEventListener") && typeof (value as AbortSignal).aborted === "boolean",
};

function oneOf(...names: readonly string[]): Expectation {
  const expected = `one of ${names.map((name) => `"${name}"`).join(", ")}`;
  return { expected, accepts: (value) => isText(value) && names.includes(value) };
}

function withMethods(what: string, ...methods: readonly string[]): Expectation {
  const expected = `${what} with ${methods.map((name) => `\`${name}\``).join(" and ")}`;
  return { expected, accepts: (value) => has(value, ...methods) };
}

function has(value: unknown, ...methods: readonly string[]): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    methods.every((name) => typeof Reflect.get(value, name) === "function")
  );
}

/** Values of other settings are checked with the settings of the server. */
const threadOptions: Expectations = {
  model: text,
  workingDirectory: text,
  additionalDirectories: texts,
  sandboxMode: oneOf("read-only", "workspace-write", "danger-full-access"),
  networkAccessEnabled: flag,
  approvalPolicy: oneOf("never", "on-request", "on-failure", "untrusted"),
  modelReasoningEffort: text,
  webSearchMode: oneOf("disabled", "cached", "live"),
  webSearchEnabled: flag,
  ephemeral: flag,
  baseInstructions: text,
  developerInstructions: text,
  config: object,
  onApproval: callback,
  tools: {
    expected: "a list of tools, made with `defineTool`",
    accepts: (value) => Array.isArray(value) && value.every(isTool),
  },
};

const model = withMethods("an object", "stream", "close");

const codexOptions: Expectations = {
  ...threadOptions,
  model: {
    expected: `the name of a model, or ${model.expected}`,
    accepts: (value) => isText(value) || model.accepts(value),
  },
  log: callback,
  queues: callback,
  cassette: withMethods("a cassette", "attach", "close"),
  clock: withMethods("an object", "now", "sleep"),
  url: text,
  fleet: {
    expected: "an address, or an object with `url`",
    accepts: (value) => isText(value) || (isRecord(value) && isText(value.url)),
  },
  token: {
    expected: "a string, or an object with `file`",
    accepts: (value) => isText(value) || (isRecord(value) && isText(value.file)),
  },
  tls: object,
  env: object,
  apiKey: text,
  baseUrl: {
    expected: "an address such as https://host/v1",
    accepts: (value) => isText(value) && /^https?:\/\/./i.test(value) && URL.canParse(value),
  },
  era: text,
  hooks: object,
};

const turnOptions: Expectations = {
  outputSchema: { ...object, expected: "a JSON Schema, which is an object" },
  signal,
  deltas: flag,
  trace: object,
};

/** Options of `@openai/codex-sdk` that have no meaning here. */
const removed: Readonly<Record<string, string>> = {
  skipGitRepoCheck: "remove it, for the library does not check for a repository",
  codexPathOverride: "remove it, for the engine runs in this process; `url` names a server",
};

/** Throws a `CodexError` if the options of a `Codex` are not understood. */
export function checkCodexOptions(options: unknown): void {
  check(options, codexOptions);
  checkNames(options);
}

/** Throws a `CodexError` if the options of a thread are not understood. */
export function checkThreadOptions(options: unknown): void {
  check(options, threadOptions);
  checkNames(options);
}

/** Throws a `CodexError` if the options of `Thread.fork` are not understood. */
export function checkForkOptions(options: unknown): void {
  check(options, { ...threadOptions, lastTurnId: text, signal });
  checkNames(options);
}

/** Throws a `CodexError` if the input or the options of a turn are not understood. */
export function checkTurn(input: unknown, options: unknown): void {
  checkInput(input);
  check(options, turnOptions);
}

/** Throws a `CodexError` if `value` is not a signal. */
export function checkSignal(value: unknown): void {
  check({ signal: value }, { signal });
}

/** Throws a `CodexError` if input is neither a text nor a list of parts. */
export function checkInput(input: unknown): void {
  if (isText(input)) return;
  if (!Array.isArray(input) || input.length === 0) {
    throw invalid("input", "a text, or a list of parts that is not empty", input);
  }
  const wrong = input.findIndex((part) => !isPart(part));
  if (wrong < 0) return;
  const expected =
    '{ type: "text", text }, { type: "local_image", path } or { type: "image", url }, with strings';
  throw invalid(`input[${wrong}]`, expected, input[wrong]);
}

function isPart(part: unknown): boolean {
  const field = isRecord(part) ? partFields.get(String(part.type)) : undefined;
  return isRecord(part) && field !== undefined && isText(part[field]);
}

const partFields: ReadonlyMap<string, string> = new Map([
  ["text", "text"],
  ["local_image", "path"],
  ["image", "url"],
]);

function check(options: unknown, expectations: Expectations): void {
  if (!isRecord(options)) throw invalid("options", "an object", options);
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(expectations, name) ? expectations[name] : undefined;
    if (value === undefined && expectation !== undefined) continue;
    if (expectation === undefined) throw unknown(name, Object.keys(expectations));
    if (!expectation.accepts(value)) throw invalid(name, expectation.expected, value);
  }
}

/** Two tools of one name would be one for the model, and the second one would never run. */
function checkNames(options: unknown): void {
  const tools: readonly OwnTool[] = (isRecord(options) && (options.tools as OwnTool[])) || [];
  const names = tools.map(({ spec }) => spec.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new CodexError("invalid_request", `\`tools\` has two tools named "${twice}"; rename one`);
  }
}

function isTool(value: unknown): boolean {
  if (!has(value, "run")) return false;
  const { spec } = value as Record<string, unknown>;
  return isRecord(spec) && spec.type === "function" && /^[\w-]+$/.test(String(spec.name ?? ""));
}

function unknown(name: string, known: readonly string[]): CodexError {
  const near = nearest(name, known);
  const hint = near === undefined ? `expected ${known.join(", ")}` : `did you mean \`${near}\`?`;
  return new CodexError("invalid_request", `Unknown option \`${name}\` (${removed[name] ?? hint})`);
}

function invalid(name: string, expected: string, value: unknown): CodexError {
  const message = `Expected \`${name}\` to be ${expected} (got ${shown(value)})`;
  return new CodexError("invalid_request", message);
}

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
