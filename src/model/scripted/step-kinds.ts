import {
  callEvents,
  completedEvent,
  customCallEvents,
  localShellEvents,
  messageEvents,
  type Place,
  reasoningEvents,
  type Wire,
  webSearchEvents,
} from "./events.js";
import * as check from "./field-checks.js";
import type { CompletedStep, Step } from "./script.js";

/** One kind of step: its fields and its output. */
export interface StepKind {
  /** Fields besides the one that names it; optional unless listed as required. */
  fields: Readonly<Record<string, check.FieldCheck>>;
  required?: readonly string[];
  /** True if it is an item of the response, with an index. */
  item?: boolean;
  /** True if no `response.completed` is added after it. */
  last?: boolean;
  /** State of the connection; nothing may follow. */
  ending?: "end" | "cut" | "hang";
  write?(step: never, place: Place): Wire[];
}

const { text, flag } = check;
const cut: StepKind = { fields: {}, last: true, ending: "cut" };
const end: StepKind = { fields: {}, last: true, ending: "end" };
const hang: StepKind = { fields: {}, last: true, ending: "hang" };

/** Kinds of steps by their naming field; if a step has two such fields, the first one here wins. */
export const stepKinds: Readonly<Record<string, StepKind & { value: check.FieldCheck }>> = {
  message: {
    value: text,
    fields: { deltas: check.textsOrCount, pause_ms: check.milliseconds, id: text, phase: text },
    item: true,
    write: messageEvents,
  },
  reasoning: {
    value: check.textOrTexts,
    fields: { raw: text, encrypted: text, id: text },
    item: true,
    write: reasoningEvents,
  },
  call: {
    value: text,
    fields: { args: check.anything, call_id: text, namespace: text },
    item: true,
    write: callEvents,
  },
  custom_call: {
    value: text,
    fields: { input: text, call_id: text },
    required: ["input"],
    item: true,
    write: customCallEvents,
  },
  local_shell: {
    value: check.texts,
    fields: {
      call_id: text,
      timeout_ms: check.milliseconds,
      timeout: check.milliseconds,
      working_directory: text,
      env: check.textMap,
      user: text,
      with_escalated_permissions: check.flag,
      justification: text,
    },
    item: true,
    write: localShellEvents,
  },
  web_search: { value: text, fields: { id: text }, item: true, write: webSearchEvents },
  apply_patch: {
    value: text,
    fields: { call_id: text },
    item: true,
    write: (step: { apply_patch: string; call_id?: string }, place) =>
      customCallEvents({ ...step, custom_call: "apply_patch", input: step.apply_patch }, place),
  },
  apply_patch_via_shell: {
    value: text,
    fields: { call_id: text },
    item: true,
    write(step: { apply_patch_via_shell: string; call_id?: string }, place) {
      const args = { command: ["apply_patch", step.apply_patch_via_shell] };
      return callEvents({ ...step, call: "shell", args }, place);
    },
  },
  echo: {
    value: flag,
    fields: {},
    item: true,
    write: (_, place) => messageEvents({ message: place.userText ?? "" }, place),
  },
  raw: {
    value: check.object,
    fields: {},
    write: ({ raw }: { raw: Record<string, unknown> }) => [raw],
  },
  sse_text: {
    value: text,
    fields: {},
    write: ({ sse_text }: { sse_text: string }) => [sse_text],
  },
  pause_ms: {
    value: check.milliseconds,
    fields: {},
    write: ({ pause_ms }: { pause_ms: number }) => [pause_ms],
  },
  completed: {
    value: flag,
    fields: { total_tokens: check.count, usage: check.anything, id: text },
    last: true,
    write: (step: CompletedStep, place) => [completedEvent(step, place)],
  },
  failed: {
    value: check.object,
    fields: {},
    last: true,
    write: ({ failed }: { failed: object }, { response }) => [
      {
        type: "response.failed",
        response: { id: `resp_${response}`, status: "failed", error: failed },
      },
    ],
  },
  incomplete: {
    value: text,
    fields: {},
    last: true,
    write: ({ incomplete }: { incomplete: string }, { response }) => [
      {
        type: "response.incomplete",
        response: { id: `resp_${response}`, incomplete_details: { reason: incomplete } },
      },
    ],
  },
  status: {
    value: check.httpStatus,
    fields: { body: check.anything, headers: check.textMap },
    last: true,
    ending: "end",
  },
  headers: { value: check.textMap, fields: {} },
  cut: { value: flag, ...cut },
  end: { value: flag, ...end },
  end_without_completed: { value: flag, ...end },
  hang: { value: flag, ...hang },
  $cut: { value: flag, ...cut },
  $end: { value: flag, ...end },
  $hang: { value: flag, ...hang },
  $delay_ms: {
    value: check.milliseconds,
    fields: {},
    write: ({ $delay_ms }: { $delay_ms: number }) => [$delay_ms],
  },
};

/** Returns the field that names the kind of a step; `undefined` for a literal event. */
export function kindName(step: object): string | undefined {
  if ("type" in step) return undefined;
  return Object.keys(stepKinds).find((name) => Object.hasOwn(step, name));
}

/** Returns the output of a step. */
export function writeStep(step: Step, place: Place): Wire[] {
  if ("type" in step) return [step];
  return kindOf(step)?.write?.(step as never, place) ?? [];
}

/** Returns the kind of a step; `undefined` for a literal event. */
export function kindOf(step: Step): StepKind | undefined {
  const name = kindName(step);
  return name === undefined ? undefined : stepKinds[name];
}
