import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { ReasoningEffort } from "../protocol/config-types.js";
import { isRecord, parseRecord } from "../protocol/read/check.js";

/** Model and effort of the last turn of a rollout. */
export interface LastContext {
  model: string;
  effort: ReasoningEffort | undefined;
}

/** Reads the settings of the last turn from the end of a rollout; `undefined` if that has none. */
export function readLastContext(path: string): LastContext | undefined {
  const lines = readEnd(path).split("\n").reverse();
  for (const line of lines) {
    if (!line.includes('"turn_context"')) continue;
    const { type, payload } = parseRecord(line) ?? {};
    if (type !== "turn_context" || !isRecord(payload)) continue;
    const { model, effort } = payload;
    if (typeof model !== "string") continue;
    return { model, effort: efforts.find((one) => one === effort) };
  }
  return undefined;
}

const efforts = ReasoningEffort.enum;

/** Bytes that are searched; the settings of a turn are rarely before more output than that. */
const endBytes = 1024 * 1024;

function readEnd(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, endBytes));
    const length = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}
