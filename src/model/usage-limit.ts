import type { ModelBehavior } from "../compat/index.js";
import { asString } from "../lib/text.js";
import { isRecord, parseRecord } from "../protocol/read/check.js";

/** The limit of a plan that a 429 reports. */
export interface UsageLimit {
  planType?: string | undefined;
  resetsInSeconds?: number | undefined;
  /** In Unix seconds. */
  resetsAt?: number | undefined;
  /** Name of the limit that was hit, if not the default one. */
  limitName?: string | undefined;
  /** Offer of the provider that replaces the advice for the plan. */
  promo?: string | undefined;
}

/** Parses the body of a 429 about the user's plan; `undefined` if it is about another limit. */
export function readUsageRefusal(
  body: string,
): { reason: "usage_limit_reached" | "usage_not_included"; limit: UsageLimit } | undefined {
  const error = parseRecord(body)?.error;
  if (!isRecord(error)) return undefined;
  const { type, plan_type, resets_in_seconds, resets_at } = error;
  if (type !== "usage_limit_reached" && type !== "usage_not_included") return undefined;
  return {
    reason: type,
    limit: {
      planType: asString(plan_type),
      resetsInSeconds: secondsOf(resets_in_seconds),
      resetsAt: secondsOf(resets_at),
    },
  };
}

/** Returns the message that the limit of the plan was hit, with upgrade advice and reset time. */
export function usageLimitText(
  limit: UsageLimit,
  wording: ModelBehavior["failures"],
  nowMs: number,
): string {
  return wording === "2026" ? text2026(limit, nowMs) : text2025(limit, nowMs);
}

/** Returns the message that the plan does not include this program. */
export function usageNotIncludedText(wording: ModelBehavior["failures"]): string {
  const page =
    wording === "2026" ? "https://chatgpt.com/explore/plus" : "https://openai.com/chatgpt/pricing";
  return `To use Codex with your ChatGPT plan, upgrade to Plus: ${page}.`;
}

const hit = "You've hit your usage limit.";
const askAdmin = `${hit} To get more access now, send a request to your admin`;

function text2025(limit: UsageLimit, nowMs: number): string {
  const seconds = limit.resetsInSeconds ?? secondsUntil(limit.resetsAt, nowMs);
  const when = seconds === undefined ? "later" : `in ${durationText(seconds)}`;
  switch (limit.planType?.toLowerCase()) {
    case "plus":
      return `${hit} Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again ${when}.`;
    case "team":
    case "business":
      return `${askAdmin} or try again ${when}.`;
    case "free":
      return usageNotIncludedText("2025");
    default:
      return `${hit} Try again ${when}.`;
  }
}

function text2026(limit: UsageLimit, nowMs: number): string {
  const at = limit.resetsAt;
  const when = at === undefined ? "later" : `at ${timeText(new Date(at * 1000), new Date(nowMs))}`;
  const or = `or try again ${when}.`;
  const name = limit.limitName?.trim();
  if (name && name.toLowerCase() !== "codex") {
    return `You've hit your usage limit for ${name}. Switch to another model now, ${or}`;
  }
  if (limit.promo !== undefined) return `${hit} ${limit.promo}, ${or}`;
  switch (limit.planType?.toLowerCase()) {
    case "plus":
      return `${hit} Upgrade to Pro (https://chatgpt.com/explore/pro), ${creditsAdvice} ${or}`;
    case "team":
    case "business":
      return `${askAdmin} ${or}`;
    case "free":
    case "go":
      return `${hit} Upgrade to Plus to continue using Codex (https://chatgpt.com/explore/plus), ${or}`;
    case "pro":
      return `${hit} V${creditsAdvice.slice(1)} ${or}`;
    default:
      return `${hit} Try again ${when}.`;
  }
}

const creditsAdvice = "visit https://chatgpt.com/codex/settings/usage to purchase more credits";

/** Formats a duration as `2 days 3 hours 5 minutes`, without zero parts. */
function durationText(seconds: number): string {
  const parts = [
    counted(Math.floor(seconds / 86_400), "day"),
    counted(Math.floor((seconds % 86_400) / 3_600), "hour"),
    counted(Math.floor((seconds % 3_600) / 60), "minute"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "less than a minute" : parts.join(" ");
}

function counted(count: number, unit: string): string {
  if (count === 0) return "";
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Formats a time, with its date unless it is today: `Nov 3rd, 2026 4:05 PM`. */
function timeText(at: Date, now: Date): string {
  const hours = at.getHours();
  const minutes = String(at.getMinutes()).padStart(2, "0");
  const time = `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
  if (at.toDateString() === now.toDateString()) return time;
  const day = at.getDate();
  return `${months[at.getMonth()]} ${day}${ordinalEnding(day)}, ${at.getFullYear()} ${time}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function ordinalEnding(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function secondsUntil(at: number | undefined, nowMs: number): number | undefined {
  return at === undefined ? undefined : Math.max(0, at - Math.floor(nowMs / 1000));
}
