import { type EraName, eraNamed, type ModelBehavior } from "../../src/compat/index.js";
import { deniedMessage } from "../../src/exec/index.js";
import { backoffMs } from "../../src/model/backoff.js";
import type { Step } from "../../src/model/scripted/index.js";
import { unexpectedStatusText } from "../../src/model/unexpected-status.js";
import { readUsageRefusal, usageLimitText } from "../../src/model/usage-limit.js";
import { askModel } from "../scenario/ask-model.js";
import { differenceFrom } from "../scenario/fits.js";
import {
  failureNames,
  isWanted,
  type StreamWords,
  toStreamWords,
} from "../scenario/stream-words.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";

/** Runs the cases about the response stream, retries and the texts of failures. */
export const suite: SuiteAdapter = {
  name: "responses_sse",
  async run(testCase) {
    const runner = runners[testCase.kind ?? ""];
    if (runner === undefined) throw new CannotRun(`unknown kind ${testCase.kind}`);
    for (const era of erasOf(testCase.era)) {
      const difference = await runner(testCase, behaviorOf(era));
      if (difference !== undefined) return `as of ${era}: ${difference}`;
    }
    return undefined;
  },
};

type Runner = (testCase: SuiteCase, behavior: ModelBehavior) => Difference | Promise<Difference>;
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

async function runStream(testCase: SuiteCase, behavior: ModelBehavior): Promise<Difference> {
  const events = testCase.events as Record<string, unknown>[];
  const last: Step = testCase.keep_open ? { hang: true } : { end: true };
  const sse: Step[] = [{ sse_text: events.map(toSseText).join("") }, last];
  const idle = testCase.idle_timeout_ms as number | undefined;
  const { items } = await askModel([{ sse }], behavior, {
    ...(idle === undefined ? {} : { stream_idle_timeout_ms: idle }),
  });
  const wanted = (testCase.expect as StreamWords[]).filter((entry) => !entry.optional);
  const actual = items
    .filter((item) => item.type !== "accepted" && isWanted(item, wanted))
    .map((item) => toStreamWords(item, wanted));
  return differenceFrom(actual, wanted);
}

function toSseText(event: Record<string, unknown>): string {
  if (typeof event.__raw === "string") return `data: ${event.__raw}\n\n`;
  const line = `event: ${event.type}\n`;
  return Object.keys(event).length === 1
    ? `${line}\n`
    : `${line}data: ${JSON.stringify(event)}\n\n`;
}

interface DeniedOutput {
  exit_code: number;
  stdout?: string;
  stderr?: string;
  aggregated_output?: string;
}

async function runRetryAfterMessage(
  { code, message, expect_delay_ms }: SuiteCase,
  behavior: ModelBehavior,
): Promise<Difference> {
  const sse = [{ type: "response.failed", response: { error: { code, message } } }];
  const { failure } = await askModel([{ sse }], behavior);
  return differenceFrom(failure?.retryAfterMs ?? null, expect_delay_ms);
}

async function runErrorBody(testCase: SuiteCase, behavior: ModelBehavior): Promise<Difference> {
  const { status, body, expect } = testCase as unknown as HttpErrorCase;
  const limit = readUsageRefusal(JSON.stringify(body));
  const { failure } = await askModel([[{ status, body }]], behavior);
  const error = failure && failureNames[failure.kind][0];
  return differenceFrom({ error, plan_type: limit?.limit.planType }, expect);
}

interface HttpErrorCase {
  status: number;
  body: unknown;
  expect: unknown;
}

function runUsageLimitMessage(testCase: SuiteCase, behavior: ModelBehavior): Difference {
  const now = Date.now();
  const given = (field: string) => (testCase[field] ?? undefined) as never;
  const limit = {
    planType: given("plan_type"),
    resetsInSeconds: given("resets_in_seconds"),
    resetsAt: given("resets_at"),
    limitName: given("limit_name"),
    promo: given("promo_message"),
  };
  return differenceFrom(usageLimitText(limit, behavior.failures, now), testCase.expect);
}

async function runHttpRetry(testCase: SuiteCase, behavior: ModelBehavior): Promise<Difference> {
  const expect = testCase.expect as Record<string, unknown>;
  const answers = (testCase.responses as Record<string, unknown>[]).map(toAnswer);
  const retries = testCase.request_max_retries;
  const renewals = ["refreshes", "token_refreshes", "refresh_count", "refreshed"];
  const login = testCase.auth !== undefined || renewals.some((name) => name in expect);
  const outcome = await askModel(
    { answers, after: "repeat" },
    behavior,
    { request_max_retries: typeof retries === "number" ? retries : 4 },
    { login },
  );
  const { failure, requests, delays, refreshes } = outcome;
  const names = failure === undefined ? [] : failureNames[failure.kind];
  const actual = {
    requests,
    error_kind: names.find((name) => name === expect.error_kind) ?? names[0],
    error_message: failure?.message,
    message: failure?.message,
    delays_ms: delays,
    delay_ms: delays[0],
    ok: failure === undefined,
    refreshes,
    token_refreshes: refreshes,
    refresh_count: refreshes,
    refreshed: refreshes > 0,
  };
  return differenceFrom(actual, expect);
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

async function runRetryPolicy(testCase: SuiteCase, behavior: ModelBehavior): Promise<Difference> {
  const given = testCase.given as Record<string, unknown>;
  const expect = testCase.expect as Record<string, unknown>;
  const answer =
    given.http === undefined
      ? { sse: [failedEvent(given.sse_failed_code, given.message)] }
      : [refusalOf(given)];
  const outcome = await askModel([answer, [{ message: "ok" }]], behavior, {
    request_max_retries: 4,
  });
  const { requests, delays, failure, items } = outcome;
  const actual = {
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
  return differenceFrom(actual, rest);
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
  return differenceFrom(text, testCase.expect);
}

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

function behaviorOf(name: EraName): ModelBehavior {
  const era = eraNamed(name);
  if (era === undefined) throw new Error(`No era ${name}`);
  return era.model;
}
