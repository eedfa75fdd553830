import { getDirectly, type RequestAuth } from "../../auth/index.js";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import type { RateLimitSnapshot, RateLimitWindow } from "../../protocol/rpc/v2/status.js";

/** Rate limits of an account: the general one first, then those of single features. */
interface ReadLimits {
  limits: [RateLimitSnapshot, ...RateLimitSnapshot[]];
  /** True if the plan covers further requests; `null` if the server does not report it. */
  allowed: boolean | null;
}

/** Requests the rate limits of the signed-in user from the vendor's server. */
export async function readRateLimits(
  { baseUrl, userAgent }: { baseUrl: string; userAgent: string },
  { token, accountId }: RequestAuth,
  signal: AbortSignal,
): Promise<ReadLimits> {
  const base = baseUrl.replace(/\/+$/, "");
  const path = base.includes("/backend-api") ? "wham/usage" : "api/codex/usage";
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "user-agent": userAgent,
    ...(accountId === undefined ? {} : { "chatgpt-account-id": accountId }),
  };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
  const answer = await getDirectly({ url: `${base}/${path}`, headers }, limited).catch(
    (error: unknown) => {
      throw cannotRead(errorText(error));
    },
  );
  if (answer.status !== 200) throw cannotRead(`the server answered with status ${answer.status}`);
  return toLimits(parseObject(answer.body));
}

const longestWaitMs = 30_000;

function toLimits(answer: JsonRecord): ReadLimits {
  const { rate_limit: main, credits, additional_rate_limits: more } = answer;
  const planType = toPlanType(answer.plan_type);
  const own = { ...toSnapshot("codex", null, main, planType), credits: toCredits(credits) };
  const others = (Array.isArray(more) ? more.filter(isRecord) : []).map((entry) =>
    toSnapshot(text(entry.metered_feature), text(entry.limit_name), entry.rate_limit, planType),
  );
  const allowed = isRecord(main) && typeof main.allowed === "boolean" ? main.allowed : null;
  return { limits: [own, ...others], allowed };
}

function toSnapshot(
  limitId: string | null,
  limitName: string | null,
  limit: unknown,
  planType: string,
): RateLimitSnapshot {
  const { primary_window, secondary_window } = isRecord(limit) ? limit : {};
  return {
    limitId,
    limitName,
    normalModelSlug: null,
    primary: toWindow(primary_window),
    secondary: toWindow(secondary_window),
    credits: null,
    individualLimit: null,
    spendControlReached: null,
    planType,
    rateLimitReachedType: null,
  };
}

function toWindow(window: unknown): RateLimitWindow | null {
  if (!isRecord(window) || typeof window.used_percent !== "number") return null;
  const { used_percent, limit_window_seconds: seconds, reset_at } = window;
  return {
    usedPercent: used_percent,
    windowDurationMins: typeof seconds === "number" ? Math.ceil(seconds / 60) : null,
    resetsAt: typeof reset_at === "number" ? reset_at : null,
  };
}

function toCredits(credits: unknown): RateLimitSnapshot["credits"] {
  if (!isRecord(credits)) return null;
  const { has_credits, unlimited, balance } = credits;
  return {
    hasCredits: has_credits === true,
    unlimited: unlimited === true,
    balance: typeof balance === "string" || typeof balance === "number" ? String(balance) : null,
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function parseObject(body: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(body);
    if (isRecord(value)) return value;
  } catch {
    // reported below
  }
  throw cannotRead("the server's answer is no JSON object");
}

function cannotRead(reason: string): CodexError {
  return new CodexError("io", `failed to fetch codex rate limits: ${reason}`);
}

/** Returns the plan type of an account; `unknown` for one that clients do not know. */
export function toPlanType(plan: unknown): string {
  const name = typeof plan === "string" ? plan.toLowerCase() : "";
  return planTypes.has(name) ? name : "unknown";
}

const planTypes: ReadonlySet<string> = new Set([
  "free",
  "go",
  "plus",
  "pro",
  "team",
  "business",
  "enterprise",
  "edu",
]);
