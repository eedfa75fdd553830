import type { ModelBehavior } from "../compat/index.js";
import type { CreditsSnapshot, RateLimitSnapshot, RateLimitWindow } from "../protocol/types.js";

/** Response headers by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns a header as text; the first one if there are several. */
export function headerText(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Parses the usage of the user's limits from response headers. */
export function readRateLimits(
  headers: AnswerHeaders,
  form: ModelBehavior["rateLimitFormat"],
  nowMs: number,
): RateLimitSnapshot {
  if (form === "2025") {
    return {
      primary: readWindow(headers, "x-codex-primary", form, nowMs),
      secondary: readWindow(headers, "x-codex-secondary", form, nowMs),
    };
  }
  const limit = headerText(headers, "x-codex-active-limit")?.trim().toLowerCase() || "codex";
  const prefix = `x-${limit.replaceAll("_", "-")}`;
  return {
    limit_id: limit.replaceAll("-", "_"),
    limit_name: headerText(headers, `${prefix}-limit-name`)?.trim() || null,
    primary: readWindow(headers, `${prefix}-primary`, form, nowMs),
    secondary: readWindow(headers, `${prefix}-secondary`, form, nowMs),
    credits: readCredits(headers),
    plan_type: null,
  };
}

/** A window without any number counts as absent. */
function readWindow(
  headers: AnswerHeaders,
  prefix: string,
  form: ModelBehavior["rateLimitFormat"],
  nowMs: number,
): RateLimitWindow | null {
  const used_percent = readNumber(headers, `${prefix}-used-percent`);
  if (used_percent === undefined) return null;
  const window_minutes = readInteger(headers, `${prefix}-window-minutes`) ?? null;
  const now = Math.floor(nowMs / 1000);
  const after = readInteger(headers, `${prefix}-reset-after-seconds`);
  const at = readInteger(headers, `${prefix}-reset-at`);
  if (used_percent === 0 && !window_minutes && !after && at === undefined) return null;
  if (form === "2025") {
    const resets_in_seconds = after ?? (at === undefined ? null : Math.max(0, at - now));
    return { used_percent, window_minutes, resets_in_seconds };
  }
  const resets_at = at ?? (after === undefined ? null : now + after);
  return { used_percent, window_minutes, resets_at };
}

function readCredits(headers: AnswerHeaders): CreditsSnapshot | null {
  const has_credits = readBoolean(headers, "x-codex-credits-has-credits");
  const unlimited = readBoolean(headers, "x-codex-credits-unlimited");
  if (has_credits === undefined || unlimited === undefined) return null;
  const balance = headerText(headers, "x-codex-credits-balance")?.trim() || null;
  return { has_credits, unlimited, balance };
}

function readNumber(headers: AnswerHeaders, name: string): number | undefined {
  const text = headerText(headers, name)?.trim();
  if (!text) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function readInteger(headers: AnswerHeaders, name: string): number | undefined {
  const value = readNumber(headers, name);
  return Number.isSafeInteger(value) ? value : undefined;
}

function readBoolean(headers: AnswerHeaders, name: string): boolean | undefined {
  const text = headerText(headers, name)?.toLowerCase();
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}
