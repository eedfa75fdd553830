import type { JsonRecord } from "../../protocol/read/check.js";
import { completedEvent, createdEvent, type Place, type Wire } from "./events.js";
import type { Answer, RecordedAnswer, Step } from "./script.js";
import { kindName, kindOf, writeStep } from "./step-kinds.js";

/** An answer ready to be sent. */
export interface BuiltAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body: text and pauses. */
  parts: readonly Part[];
  /** State of the connection after the last part. */
  ending: "end" | "cut" | "hang";
}

/** Text to send, or a pause. */
export type Part = string | { pauseMs: number };

/** Builds an answer; `place.response` is its number and becomes part of its ids. */
export function buildAnswer(answer: Answer, place: Omit<Place, "index">): BuiltAnswer {
  if (isRecorded(answer)) return buildRecorded(answer);
  const given = Object.assign({}, ...answer.map((step) => ("headers" in step ? step.headers : {})));
  const refusal = answer.find(isRefusal);
  if (refusal !== undefined) return refuse(refusal.status, refusal.body, given);

  const start = { ...place, index: 0 };
  const wires: Wire[] = [];
  if (!hasEvent(answer, (type) => type === "response.created")) wires.push(createdEvent(start));
  let index = 0;
  for (const step of answer) {
    for (const wire of writeStep(step, { ...place, index })) wires.push(wire);
    if (kindOf(step)?.item) index++;
  }
  if (
    !answer.some((step) => kindOf(step)?.last) &&
    !hasEvent(answer, (type) => lastEvents.has(type))
  ) {
    wires.push(completedEvent({ completed: true }, start));
  }
  return stream(200, given, wires, answer.at(-1));
}

/** Builds an error answer; text is sent as is, other values as JSON. */
export function refuse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): BuiltAnswer {
  const plain = typeof body === "string";
  const type = plain ? "text/plain; charset=utf-8" : "application/json";
  const text = plain ? body : body === undefined ? "" : JSON.stringify(body);
  return { status, headers: { "content-type": type, ...headers }, parts: [text], ending: "end" };
}

const lastEvents: ReadonlySet<string> = new Set([
  "response.completed",
  "response.done",
  "response.failed",
  "response.incomplete",
]);

function isRecorded(answer: Answer): answer is RecordedAnswer {
  return !Array.isArray(answer);
}

function buildRecorded({ status = 200, headers = {}, body, sse }: RecordedAnswer): BuiltAnswer {
  if (sse === undefined) return refuse(status, body, headers);
  const wires = sse.flatMap((step) => writeStep(step, { response: 0, index: 0 }));
  return stream(status, headers, wires, sse.at(-1));
}

function stream(
  status: number,
  headers: Readonly<Record<string, string>>,
  wires: readonly Wire[],
  last: Step | undefined,
): BuiltAnswer {
  return {
    status,
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache", ...headers },
    parts: toParts(wires),
    ending: (last === undefined ? undefined : kindOf(last)?.ending) ?? "end",
  };
}

/** Combines events without a pause between them into one piece. */
function toParts(wires: readonly Wire[]): Part[] {
  const parts: Part[] = [];
  let text = "";
  for (const wire of wires) {
    if (typeof wire !== "number") {
      text += typeof wire === "string" ? wire : toSse(wire);
      continue;
    }
    if (text !== "") parts.push(text);
    parts.push({ pauseMs: wire });
    text = "";
  }
  return text === "" ? parts : [...parts, text];
}

function toSse(event: JsonRecord): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function isRefusal(step: Step): step is Extract<Step, { status: number }> {
  return kindName(step) === "status";
}

/** Returns true if one of the literal events has a matching type. */
function hasEvent(answer: readonly Step[], fits: (type: string) => boolean): boolean {
  return answer.some((step) => {
    const event: object = kindName(step) === "raw" && "raw" in step ? Object(step.raw) : step;
    return "type" in event && typeof event.type === "string" && fits(event.type);
  });
}
