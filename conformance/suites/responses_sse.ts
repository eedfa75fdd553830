import { deniedMessage } from "../../src/exec/index.js";
import type { Clock } from "../../src/lib/clock.js";
import { backoffMs } from "../../src/model/backoff.js";
import { type Script, type Step, scriptedClient } from "../../src/model/scripted/index.js";
import type { ModelFailure, ModelProvider, StreamItem } from "../../src/model/types.js";
import { unexpectedStatusText } from "../../src/model/unexpected-status.js";
import { readUsageRefusal, usageLimitText } from "../../src/model/usage-limit.js";
import { type EraName, eraNamed, type ModelDialect } from "../../src/protocol/era.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";

/** Runs the cases about the response stream, retries and the texts of failures. */
export const suite: SuiteAdapter = {
  name: "responses_sse",
  async run(testCase) {
    const runner = runners[testCase.kind ?? ""];
    if (runner === undefined) return `no way to run a case of kind ${testCase.kind}`;
    for (const era of erasOf(testCase.era)) {
      const difference = await runner(testCase, dialectOf(era));
      if (difference !== undefined) return `as of ${era}: ${difference}`;
    }
    return undefined;
  },
};

type Runner = (testCase: SuiteCase, dialect: ModelDialect) => Difference | Promise<Difference>;
type Difference = string | undefined;

const runners: Partial<Record<string, Runner>> = {
  sandbox_denied_message({ output, expect }) {
    const { exit_code, stdout = "", stderr = "", aggregated_output = "" } = output as DeniedOutput;
    const message = deniedMessage({
      exitCode: exit_code,
      stdout,
      stderr,
      aggregated: aggregated_output,
    });
    return message === expect ? undefined : `got ${message}`;
  },
  sse: runStream,
  retry_after_message: runRetryAfterMessage,
  http_error_body: runErrorBody,
  usage_limit_message: runUsageLimitMessage,
  http_retry: runHttpRetry,
  backoff: runBackoff,
  retry_policy: runRetryPolicy,
  unexpected_status: runUnexpectedStatus,
};

async function runStream(testCase: SuiteCase, dialect: ModelDialect): Promise<Difference> {
  const events = testCase.events as Record<string, unknown>[];
  const last: Step = testCase.keep_open ? { hang: true } : { end: true };
  const sse: Step[] = [{ sse_text: events.map(toSseText).join("") }, last];
  const idle = testCase.idle_timeout_ms as number | undefined;
  const { items } = await ask([{ sse }], dialect, {
    ...(idle === undefined ? {} : { stream_idle_timeout_ms: idle }),
  });
  const wanted = (testCase.expect as Expected[]).filter((entry) => !entry.optional);
  const told = items
    .filter((item) => item.type !== "accepted" && isWanted(item, wanted))
    .map((item) => toExpected(item, wanted));
  return compare(told, wanted);
}

/** The first versions told of items being added only for web searches. */
function isWanted(item: StreamItem, wanted: readonly Expected[]): boolean {
  if (item.type !== "item_added") return true;
  return wanted.some(({ event }) => event === addedName(item));
}

interface Expected {
  event?: string;
  error?: string;
  optional?: boolean;
  [field: string]: unknown;
}

function toSseText(event: Record<string, unknown>): string {
  if (typeof event.__raw === "string") return `data: ${event.__raw}\n\n`;
  const line = `event: ${event.type}\n`;
  return Object.keys(event).length === 1
    ? `${line}\n`
    : `${line}data: ${JSON.stringify(event)}\n\n`;
}

function toExpected(item: StreamItem, wanted: readonly Expected[]): Expected {
  switch (item.type) {
    case "text_delta":
      return { event: "output_text_delta", delta: item.delta };
    case "reasoning_delta":
      return { event: "reasoning_summary_delta", delta: item.delta, summary_index: item.index };
    case "raw_reasoning_delta":
      return { event: "reasoning_content_delta", delta: item.delta, content_index: item.index };
    case "reasoning_part":
      return { event: "reasoning_summary_part_added", summary_index: item.index };
    case "item_added":
      return {
        event: addedName(item),
        item: item.item,
        call_id: "id" in item.item && item.item.id,
      };
    case "item_done":
      return { event: "output_item_done", item: item.item };
    case "completed":
      return {
        event: "completed",
        response_id: item.responseId,
        token_usage: item.usage ?? null,
      };
    case "failed":
      return toExpectedError(item.failure, wanted);
    default:
      return { event: item.type };
  }
}

function addedName({ item }: Extract<StreamItem, { type: "item_added" }>): string {
  return item.type === "web_search_call" ? "web_search_call_begin" : "output_item_added";
}

function toExpectedError(failure: ModelFailure, wanted: readonly Expected[]): Expected {
  const names = errorNames[failure.kind];
  const wish = wanted.find(({ error }) => error !== undefined)?.error;
  return {
    error: wish !== undefined && names.includes(wish) ? wish : names[0],
    message: failure.message.replace("stream disconnected before completion: ", ""),
    retryable: failure.retryable,
    ...(failure.retryAfterMs === undefined ? {} : { retry_delay_ms: failure.retryAfterMs }),
  } as Expected;
}

interface DeniedOutput {
  exit_code: number;
  stdout?: string;
  stderr?: string;
  aggregated_output?: string;
}

/** Our kinds of failure in the words of the suite. */
const errorNames: Record<ModelFailure["kind"], readonly string[]> = {
  stream_closed: ["stream"],
  idle_timeout: ["stream"],
  response_failed: ["retryable", "stream"],
  context_length_exceeded: ["context_window_exceeded"],
  quota: ["quota_exceeded"],
  usage_limit: ["usage_limit_reached"],
  usage_not_included: ["usage_not_included"],
  overloaded: ["server_overloaded"],
  cyber_policy: ["cyber_policy"],
  misalignment_policy: ["misalignment_policy_violation"],
  invalid_prompt: ["invalid_request"],
  http_status: ["unexpected_status", "internal_server_error"],
  retry_limit: ["retry_limit"],
  connection: ["connection"],
  auth: ["auth", "retry_limit"],
};

async function runRetryAfterMessage(
  { code, message, expect_delay_ms }: SuiteCase,
  dialect: ModelDialect,
): Promise<Difference> {
  const sse = [{ type: "response.failed", response: { error: { code, message } } }];
  const { failure } = await ask([{ sse }], dialect);
  return compare(failure?.retryAfterMs ?? null, expect_delay_ms);
}

async function runErrorBody(testCase: SuiteCase, dialect: ModelDialect): Promise<Difference> {
  const { status, body, expect } = testCase as unknown as HttpErrorCase;
  const limit = readUsageRefusal(JSON.stringify(body));
  const { failure } = await ask([[{ status, body }]], dialect);
  const error = failure && errorNames[failure.kind][0];
  return compare({ error, plan_type: limit?.limit.planType }, expect);
}

interface HttpErrorCase {
  status: number;
  body: unknown;
  expect: unknown;
}

function runUsageLimitMessage(testCase: SuiteCase, dialect: ModelDialect): Difference {
  const now = Date.now();
  const given = (field: string) => (testCase[field] ?? undefined) as never;
  const limit = {
    planType: given("plan_type"),
    resetsInSeconds: given("resets_in_seconds"),
    resetsAt: given("resets_at"),
    limitName: given("limit_name"),
    promo: given("promo_message"),
  };
  return compare(usageLimitText(limit, dialect.failureTexts, now), testCase.expect);
}

async function runHttpRetry(testCase: SuiteCase, dialect: ModelDialect): Promise<Difference> {
  const expect = testCase.expect as Record<string, unknown>;
  const answers = (testCase.responses as Record<string, unknown>[]).map(toAnswer);
  const retries = testCase.request_max_retries;
  const outcome = await ask({ answers, after: "repeat" }, dialect, {
    request_max_retries: typeof retries === "number" ? retries : 4,
  });
  const { failure, requests, delays } = outcome;
  const names = failure === undefined ? [] : errorNames[failure.kind];
  const told = {
    requests,
    error_kind: names.find((name) => name === expect.error_kind) ?? names[0],
    error_message: failure?.message,
    message: failure?.message,
    delays_ms: delays,
    delay_ms: delays[0],
    ok: failure === undefined,
  };
  return compare(told, expect);
}

function toAnswer({ sse, events, ...refusal }: Record<string, unknown>) {
  const steps = (sse ?? events) as Step[] | undefined;
  if (steps !== undefined || refusal.status === 200) return steps ?? [];
  return [refusal as Extract<Step, { status: number }>];
}

function runBackoff({ attempt, expect }: SuiteCase): Difference {
  const { min_ms, max_ms } = expect as { min_ms: number; max_ms: number };
  const lowest = backoffMs(attempt as number, () => 0);
  const highest = backoffMs(attempt as number, () => 1 - Number.EPSILON);
  if (lowest >= min_ms && highest <= max_ms) return undefined;
  return `${lowest} to ${highest} ms, not ${min_ms} to ${max_ms} ms`;
}

async function runRetryPolicy(testCase: SuiteCase, dialect: ModelDialect): Promise<Difference> {
  const given = testCase.given as Record<string, unknown>;
  const expect = testCase.expect as Record<string, unknown>;
  const answer =
    given.http === undefined
      ? { sse: [failedEvent(given.sse_failed_code, given.message)] }
      : [refusalOf(given)];
  const outcome = await ask([answer, [{ message: "ok" }]], dialect, { request_max_retries: 4 });
  const { requests, delays, failure, items } = outcome;
  const told = {
    retried: requests > 1 || failure?.retryable === true,
    requests,
    stream_error_events: items.filter((item) => item.type === "retrying").length,
    error_message: failure?.message,
  };
  const [least, most] = (expect.delay_ms as [number, number] | undefined) ?? [0, Infinity];
  if (delays.some((delay) => delay < least || delay > most)) {
    return `waits ${delays.join(", ")} ms, not ${least} to ${most} ms`;
  }
  const { delay_ms: _, ...rest } = expect;
  return compare(told, rest);
}

function failedEvent(code: unknown, message: unknown): Step {
  return { type: "response.failed", response: { id: "r", error: { code, message } } };
}

function refusalOf({ http, retry_after, body }: Record<string, unknown>): Step {
  const headers = retry_after === undefined ? {} : { "retry-after": String(retry_after) };
  return { status: http as number, body: body ?? {}, headers };
}

function runUnexpectedStatus(testCase: SuiteCase): Difference {
  const given = testCase.given as Record<string, string>;
  const text = unexpectedStatusText({
    statusLine: given.status ?? "",
    body: given.body ?? "",
    url: given.url,
    cfRay: given.cf_ray,
    requestId: given.request_id,
  });
  return compare(text, testCase.expect);
}

interface Outcome {
  items: StreamItem[];
  failure: ModelFailure | undefined;
  requests: number;
  delays: number[];
}

/** Asks a scripted model once; waiting takes no time, but is written down. */
async function ask(
  script: Script,
  dialect: ModelDialect,
  provider: Partial<ModelProvider> = {},
): Promise<Outcome> {
  const delays: number[] = [];
  const clock: Clock = {
    now: () => Date.now(),
    sleep: async (ms) => void delays.push(ms),
  };
  const client = scriptedClient(script, { dialect, provider, clock });
  const items: StreamItem[] = [];
  for await (const batch of client.stream(question, new AbortController().signal)) {
    items.push(...batch);
  }
  const last = items.at(-1);
  const failure = last?.type === "failed" ? last.failure : undefined;
  return { items, failure, requests: client.requests.length, delays };
}

const question = {
  model: "mock-model",
  instructions: "",
  input: [],
  tools: [],
  parallelToolCalls: false,
  conversationId: "conversation",
};

/** The eras a case speaks of; one that holds always is tried in the oldest and the newest. */
function erasOf(era: string): EraName[] {
  if (era === "all") return ["0.42", "current"];
  return era.split("+").map((name) => eraNames[name] ?? "current");
}

const eraNames: Partial<Record<string, EraName>> = {
  "v0.39": "0.42",
  "v0.98": "0.104",
  head: "0.166",
};

function dialectOf(name: EraName): ModelDialect {
  const era = eraNamed(name);
  if (era === undefined) throw new Error(`No era ${name}`);
  return era.model;
}

/** Compares what is expected and no more; `null` and absent are the same. */
function compare(told: unknown, expected: unknown): Difference {
  return fits(told, expected)
    ? undefined
    : `got ${JSON.stringify(told)}, expected ${JSON.stringify(expected)}`;
}

function fits(told: unknown, expected: unknown): boolean {
  if (expected === null || expected === undefined) return told === null || told === undefined;
  if (Array.isArray(expected)) {
    if (!Array.isArray(told) || told.length !== expected.length) return false;
    return expected.every((entry, index) => fits(told[index], entry));
  }
  if (typeof expected !== "object") return told === expected;
  if (typeof told !== "object" || told === null) return false;
  const fields = told as Record<string, unknown>;
  return Object.entries(expected).every(([key, value]) => fits(fields[key], value));
}
