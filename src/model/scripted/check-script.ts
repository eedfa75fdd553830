import { CodexError } from "../../protocol/error.js";
import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import { anything, type FieldCheck, httpStatus, textMap } from "./field-checks.js";
import type { Script } from "./script.js";
import { kindName, stepKinds } from "./step-kinds.js";

/** Validates a script; throws an error that names the step and the field. */
export function checkScript(value: unknown): Script {
  if (Array.isArray(value)) {
    checkAnswers(value, "script");
    return value as Script;
  }
  if (!isRecord(value)) fail("script", "must be a list of answers or an object with `answers`");
  if (!Array.isArray(value.answers)) fail("script.answers", "must be a list of answers");
  const fields = { answers: anything, after, agents: anything, echo_model: flagOrNot };
  checkFields(value, fields, "script");
  checkAnswers(value.answers, "script.answers");
  const { agents = {} } = value;
  if (!isRecord(agents)) fail("script.agents", "must be a table of answers by agent");
  for (const [path, answers] of Object.entries(agents)) {
    if (!Array.isArray(answers)) fail(`script.agents["${path}"]`, "must be a list of answers");
    checkAnswers(answers, `script.agents["${path}"]`);
  }
  return value as unknown as Script;
}

const after: FieldCheck = (value) =>
  value === "error" || value === "repeat" ? undefined : '"error" or "repeat"';
const flagOrNot: FieldCheck = (value) => (typeof value === "boolean" ? undefined : "true or false");
const list: FieldCheck = (value) => (Array.isArray(value) ? undefined : "a list of events");

function checkAnswers(answers: unknown[], path: string): void {
  for (const [index, answer] of answers.entries()) checkAnswer(answer, `${path}[${index}]`);
}

function checkAnswer(answer: unknown, path: string): void {
  if (Array.isArray(answer)) {
    checkSteps(answer, path);
    return;
  }
  if (!isRecord(answer)) fail(path, "must be a list of steps or a recorded answer");
  const fields = { n: anything, status: httpStatus, headers: textMap, body: anything, sse: list };
  checkFields(answer, fields, path);
  if (Array.isArray(answer.sse)) checkSteps(answer.sse, `${path}.sse`);
  else if (answer.status === undefined) fail(path, "needs `sse`, or `status` and `body`");
}

function checkSteps(steps: unknown[], path: string): void {
  for (const [index, step] of steps.entries()) {
    const at = `${path}[${index}]`;
    checkStep(step, at);
    const name = kindName(step as object);
    if (name === undefined || index === steps.length - 1) continue;
    if (stepKinds[name]?.ending !== undefined) fail(at, `ends the answer, but a step follows it`);
  }
}

function checkStep(step: unknown, path: string): void {
  if (!isRecord(step)) fail(path, "must be an object");
  if ("type" in step) {
    if (typeof step.type !== "string") fail(`${path}.type`, "must be text");
    return;
  }
  const name = kindName(step);
  const kind = name === undefined ? undefined : stepKinds[name];
  if (name === undefined || kind === undefined) {
    const known = Object.keys(stepKinds).join(", ");
    fail(path, `is no step: it has none of ${known}, and no \`type\` of an event`);
  }
  checkFields(step, { [name]: kind.value, ...kind.fields }, path);
  for (const field of kind.required ?? []) {
    if (!Object.hasOwn(step, field)) fail(`${path}.${field}`, `is needed beside \`${name}\``);
  }
}

function checkFields(
  value: JsonRecord,
  checks: Readonly<Record<string, FieldCheck>>,
  path: string,
): void {
  for (const [field, content] of Object.entries(value)) {
    if (content === undefined) continue;
    const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
    if (check === undefined) {
      fail(`${path}.${field}`, `is not known here; there may be ${Object.keys(checks).join(", ")}`);
    }
    const wanted = check(content);
    if (wanted !== undefined) fail(`${path}.${field}`, `must be ${wanted}, not ${nameOf(content)}`);
  }
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function fail(path: string, problem: string): never {
  throw new CodexError("invalid_request", `${path} ${problem}`, { data: { path } });
}
