import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/record.js";
import { textOf } from "./text-of.js";

/** What an ID token says about the user. */
export interface IdClaims {
  email?: string;
  /** Such as `plus` or `pro`; other plans may come. */
  planType?: string;
  /** The ChatGPT account or workspace. */
  accountId?: string;
  /** The user has a platform organization of their own and has not finished setting it up. */
  needsSetup: boolean;
}

/**
 * Reads the claims of a token without checking its signature.
 *
 * They are shown and sent along, nothing is decided by them. A token that is none has no claims.
 */
export function readClaims(token: string | undefined): IdClaims {
  const payload = readPayload(token);
  const auth = objectOf(payload["https://api.openai.com/auth"]);
  const profile = objectOf(payload["https://api.openai.com/profile"]);
  const email = textOf(payload.email) ?? textOf(profile.email);
  const planType = textOf(auth.chatgpt_plan_type);
  const accountId = textOf(auth.chatgpt_account_id);
  return {
    ...(email === undefined ? undefined : { email }),
    ...(planType === undefined ? undefined : { planType }),
    ...(accountId === undefined ? undefined : { accountId }),
    needsSetup: auth.is_org_owner === true && auth.completed_platform_onboarding !== true,
  };
}

function readPayload(token: string | undefined): JsonRecord {
  const [header, payload, signature] = token?.split(".") ?? [];
  if (!header || !payload || !signature) return {};
  return parseRecord(Buffer.from(payload, "base64url").toString("utf8")) ?? {};
}

function objectOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
