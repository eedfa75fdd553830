import type { ReviewDecision } from "../approval.js";
import {
  checkAskForApproval,
  checkReviewDecision,
  checkSandboxPolicy,
} from "../checks/sqeq.generated.js";
import { CodexError } from "../error.js";
import type { AskForApproval, SandboxPolicy } from "../policy.js";
import { isRecord, type JsonRecord, properFields, spelled } from "./check.js";
import { assertValid } from "./problem.js";

/** Reads a sandbox policy in any format: tagged by `mode` or `type`, or as the bare mode. */
export function parseSandboxPolicy(value: unknown, name = "sandbox_policy"): SandboxPolicy {
  const policy = toSandboxPolicy(value);
  assertValid(checkSandboxPolicy, policy, name);
  return policy as SandboxPolicy;
}

/** Reads an approval policy in any spelling. */
export function parseAskForApproval(value: unknown, name = "approval_policy"): AskForApproval {
  const policy = toAskForApproval(value);
  assertValid(checkAskForApproval, policy, name);
  return policy as AskForApproval;
}

/** Normalizes a sandbox policy without validation. */
export function toSandboxPolicy(value: unknown): unknown {
  if (typeof value === "string") return toSandboxPolicy({ mode: value });
  if (!isRecord(value)) return value;
  const { type, ...policy } = properFields(value, fieldNames);
  const mode = spelled(modes, policy.mode ?? type);
  if (mode !== undefined) policy.mode = mode;
  if (mode === "workspace-write") return { ...workspaceDefaults(), ...policy };
  return mode === "external-sandbox" ? toExternal(policy) : policy;
}

/** Normalizes an approval policy without validation. */
export function toAskForApproval(value: unknown): unknown {
  return spelled(approvals, value);
}

function toExternal(policy: JsonRecord): JsonRecord {
  const network = policy.network_access ?? false;
  if (typeof network !== "boolean") return policy;
  return { ...policy, network_access: network ? "enabled" : "restricted" };
}

function workspaceDefaults(): JsonRecord {
  return {
    mode: "workspace-write",
    writable_roots: [],
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  };
}

const modes: Record<string, SandboxPolicy["mode"]> = {
  dangerfullaccess: "danger-full-access",
  readonly: "read-only",
  workspacewrite: "workspace-write",
  externalsandbox: "external-sandbox",
};

const approvals: Record<string, AskForApproval> = {
  untrusted: "untrusted",
  unlesstrusted: "untrusted",
  onfailure: "on-failure",
  onrequest: "on-request",
  never: "never",
};

const fieldNames = {
  writableRoots: "writable_roots",
  networkAccess: "network_access",
  excludeTmpdirEnvVar: "exclude_tmpdir_env_var",
  excludeSlashTmp: "exclude_slash_tmp",
};

/** Reads an approval decision in the spelling of any era. */
export function parseReviewDecision(value: unknown, name = "decision"): ReviewDecision {
  const decision = toReviewDecision(value);
  assertDecision(decision, name);
  return decision as ReviewDecision;
}

/** Normalizes a decision without validation. */
export function toReviewDecision(value: unknown): unknown {
  if (!isRecord(value)) return toWord(value);
  const inner = value.approved_execpolicy_amendment ?? value.acceptWithExecpolicyAmendment;
  if (!isRecord(inner)) return value;
  const firstWords = inner.proposed_execpolicy_amendment ?? inner.execpolicy_amendment;
  return { approved_execpolicy_amendment: { proposed_execpolicy_amendment: firstWords } };
}

/** Throws if a value is not a decision; the message lists all accepted spellings. */
export function assertDecision(value: unknown, name: string, data: JsonRecord = {}): void {
  if (checkReviewDecision(value)) return;
  const taken = Object.entries(spellings).map(([word, others]) => {
    const also = others.map((other) => `"${other}"`).join(", ");
    return `"${word}" (or ${also})`;
  });
  const rule = '{"approved_execpolicy_amendment":{"proposed_execpolicy_amendment":[…]}}';
  const found = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : typeof value;
  const message = `Expected \`${name}\` to be ${taken.join(", ")} or ${rule} (got ${found}).`;
  throw new CodexError("invalid_request", message, { data: { ...data, path: name } });
}

/** Spellings of all eras, by their canonical decision. */
const spellings: Readonly<Record<Exclude<ReviewDecision, object>, readonly string[]>> = {
  approved: ["approve", "accept", "allow"],
  approved_for_session: ["acceptForSession"],
  denied: ["deny", "decline"],
  abort: ["cancel"],
};

/** Returns the decision of a word, in any case and with any separators. */
function toWord(value: unknown): unknown {
  for (const [word, others] of Object.entries(spellings)) {
    for (const one of [word, ...others]) {
      if (spelled({ [one.replaceAll("_", "").toLowerCase()]: true }, value) === true) return word;
    }
  }
  return value;
}

/** Sign-in method. */
export type AuthMethod = "apikey" | "chatgpt";

/** Reads a sign-in method in any case; `undefined` if it is unknown. */
export function parseAuthMethod(value: unknown): AuthMethod | undefined {
  const method = spelled(methods, value);
  return method === "apikey" || method === "chatgpt" ? method : undefined;
}

const methods: Record<string, AuthMethod> = { apikey: "apikey", chatgpt: "chatgpt" };
