import type { CheckError } from "../checks/check.js";
import { checkOp } from "../checks/sqeq.generated.js";
import { CodexError } from "../error.js";
import type { Op } from "../sqeq/ops.generated.js";
import type { Submission } from "../sqeq/submission.js";
import {
  assertDepth,
  changeFields,
  isRecord,
  type JsonRecord,
  renameFields,
  spelled,
  withoutNulls,
} from "./check.js";
import { toInputItems, toResponseItem } from "./items.js";
import { assertDecision, toAskForApproval, toReviewDecision, toSandboxPolicy } from "./policy.js";
import { assertValid } from "./problem.js";
import { toTraceContext } from "./trace-context.js";

/**
 * Reads a submission in any spelling.
 *
 * Throws a `CodexError` that names the field and the expectation. `data.id` is the id of the submission,
 * if it has one, so that the error event can carry it.
 */
export function parseSubmission(value: unknown): Submission {
  if (!isRecord(value)) {
    throw new CodexError("invalid_request", 'A submission must be an object: {"id": …, "op": …}.');
  }
  if (typeof value.id !== "string") {
    throw new CodexError("invalid_request", "The submission has no id; it must be a string.");
  }
  const op = readOp(value.op, { id: value.id });
  const trace = value.trace === undefined ? undefined : toTraceContext(value.trace);
  return trace === undefined ? { id: value.id, op } : { id: value.id, op, trace };
}

/** Reads an op in any spelling; throws a `CodexError` that names the field and the expectation. */
export function parseOp(value: unknown): Op {
  return readOp(value, {});
}

function readOp(value: unknown, data: JsonRecord): Op {
  if (!isRecord(value) || typeof value.type !== "string") {
    const message = "op must be an object whose type is a string, such as user_turn.";
    throw new CodexError("invalid_request", message, { data });
  }
  try {
    assertDepth(value);
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    throw new CodexError(error.code, error.message, { data: { ...error.data, ...data } });
  }
  const op = toOp(value, value.type);
  if (!checkOp(op) && isUnknownType(checkOp.errors?.[0])) {
    const message = `There is no op ${JSON.stringify(value.type.slice(0, 80))}; see docs/protocol.md.`;
    throw new CodexError("unknown_op", message, {
      data: { ...data, type: value.type.slice(0, 80) },
    });
  }
  if (asksForDecision.has(op.type) && op.decision !== undefined) {
    assertDecision(op.decision, "op.decision", data);
  }
  assertValid(checkOp, op, "op", data);
  assertReviewable(op as Op, data);
  return op as Op;
}

/** The check is discriminated by `type`: an unknown type fails at the root. */
function isUnknownType(error: CheckError | undefined): boolean {
  return error?.keyword === "discriminator" && error.instancePath === "";
}

const asksForDecision: ReadonlySet<string> = new Set(["exec_approval", "patch_approval"]);

/** A review needs a prompt or a target, which the schema does not express. */
function assertReviewable(op: Op, data: JsonRecord): void {
  if (op.type !== "review") return;
  const { prompt, target } = op.review_request;
  if (prompt !== undefined || target !== undefined) return;
  const message = "op.review_request.prompt is missing; say what to review.";
  throw new CodexError("invalid_request", message, {
    data: { ...data, path: "op.review_request" },
  });
}

function toOp(value: JsonRecord, wireType: string): JsonRecord & { type: string } {
  const type = wireType === "request_user_input_response" ? "user_input_answer" : wireType;
  const threeState = type === "override_turn_context" ? "effort" : undefined;
  const named = type === "configure_session" ? renameFields(value, configureNames) : value;
  const op = changeFields(named, (name, field) =>
    field === null && name !== threeState ? undefined : toOpField(name, field, type),
  );
  op.type = type;
  return op as JsonRecord & { type: string };
}

/** Fields have the same meaning in every op and are read by name, except for decisions. */
function toOpField(name: string, field: unknown, type: string): unknown {
  switch (name) {
    case "items":
      return toInputItems(field);
    case "response_items":
      return Array.isArray(field) ? field.map(toResponseItem) : field;
    case "sandbox_policy":
      return toSandboxPolicy(field);
    case "approval_policy":
      return toAskForApproval(field);
    case "decision":
      // Elicitation decisions have their own values, such as `accept`.
      return type === "resolve_elicitation" ? field : toReviewDecision(field);
    case "collaboration_mode":
      return toCollaborationMode(field);
    case "review_request":
      return isRecord(field) ? withoutNulls(field) : field;
    default:
      return field;
  }
}

function toCollaborationMode(value: unknown): unknown {
  if (typeof value === "string") return { mode: spelled(modeKinds, value) };
  if (!isRecord(value)) return value;
  const mode = withoutNulls(value);
  return { ...mode, mode: spelled(modeKinds, mode.mode) };
}

const configureNames = { base_instructions: "instructions" };

/** Modes of earlier versions map to `default`. */
const modeKinds: Record<string, string> = {
  default: "default",
  code: "default",
  execute: "default",
  pairprogramming: "default",
  custom: "default",
  plan: "plan",
};
