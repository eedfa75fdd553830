import { isRecord, parseRecord } from "../protocol/read/check.js";

/** Message to the host process. */
export type HostRequest =
  /** First message: the program of a worker and its limits. */
  | { type: "begin"; program: string; limits: WorkerLimits }
  /** Starts a cell; `setup` is JSON for the prelude. */
  | { type: "start"; cell: number; source: string; prelude: string; setup: string }
  /** Settles a call: `value` is JSON, `error` a text to throw. */
  | { type: "result"; cell: number; call: number; value?: string; error?: string }
  | { type: "end"; cell: number };

/** Limits of a worker, as Node takes them. */
export interface WorkerLimits {
  maxOldGenerationSizeMb: number;
  maxYoungGenerationSizeMb: number;
  stackSizeMb: number;
}

/** Message of a cell. */
export type CellMessage =
  /** The script begins to run. */
  | { type: "started" }
  | { type: "text"; text: string }
  | { type: "image"; url: string; detail: string | null }
  | { type: "notify"; text: string }
  | { type: "store"; key: string; value: string }
  | { type: "yield" }
  | { type: "call"; call: number; name: string; input: string }
  /** The cell is over: completed, failed with a text, or ended by a limit. */
  | { type: "done"; error?: string; failure?: "memory" | "output" | "crash" };

/**
 * Reads a line of the host; undefined if it is none of these messages.
 *
 * A script that breaks out of its realm can write any line, so that nothing is taken for granted.
 */
export function readHostLine(line: string): { cell: number; message: CellMessage } | undefined {
  const value = parseRecord(line);
  if (value === undefined || typeof value.cell !== "number") return undefined;
  const fields = typeof value.type === "string" ? fieldsOf.get(value.type) : undefined;
  if (fields === undefined || !fields(value)) return undefined;
  const { cell, ...message } = value;
  return { cell: value.cell, message: message as CellMessage };
}

type Check = (value: Record<string, unknown>) => boolean;

const isText = (value: unknown) => typeof value === "string";
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value);

const fieldsOf: ReadonlyMap<string, Check> = new Map<CellMessage["type"], Check>([
  ["text", ({ text }) => isText(text)],
  ["image", ({ url, detail }) => isText(url) && (detail === null || isText(detail))],
  ["notify", ({ text }) => isText(text)],
  ["store", ({ key, value }) => isText(key) && isText(value)],
  ["started", () => true],
  ["yield", () => true],
  ["call", ({ call, name, input }) => typeof call === "number" && isText(name) && isText(input)],
  ["done", (value) => isRecord(value) && isTextOrAbsent(value.error)],
]);
