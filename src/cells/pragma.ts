import { isRecord } from "../protocol/read/check.js";
import { parameters, readArguments } from "../tools/index.js";

/** A script and the settings of its first line. */
export interface Script {
  source: string;
  yieldMs?: number;
  maxTokens?: number;
}

const start = /^\/\/ @exec:(.*)(?:\r?\n|$)/;

/** Separates the optional first line `// @exec: {…}` from the script; returns a text for the model if it has a mistake. */
export function readScript(input: string): Script | string {
  const pragma = start.exec(input);
  const source = pragma === null ? input : input.slice(pragma[0].length);
  if (pragma === null) return source.trim() === "" ? emptyText : { source };
  const settings = readSettings(pragma[1]?.trim() ?? "");
  if (typeof settings === "string") return settings;
  if (source.trim() === "") {
    return "exec pragma must be followed by JavaScript source on subsequent lines";
  }
  return { source, ...settings };
}

const emptyText =
  "exec needs a script: JavaScript as plain text, with an optional first line such as " +
  '`// @exec: {"yield_time_ms": 10000, "max_output_tokens": 1000}`.';

const fields = "`yield_time_ms` and `max_output_tokens`";

function readSettings(text: string): Omit<Script, "source"> | string {
  const notObject = `exec pragma must be a JSON object with supported fields ${fields}`;
  if (text === "") return notObject;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { problem } = readArguments(anything, text);
    const place = problem && `${problem.what} at line ${problem.line} column ${problem.column}`;
    return `exec pragma must be valid JSON with supported fields ${fields}: ${place}`;
  }
  if (!isRecord(value)) return notObject;
  const { yield_time_ms: yieldMs, max_output_tokens: maxTokens, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `exec pragma only supports ${fields}; got \`${unknown}\``;
  const wrong = [yieldMs, maxTokens].find((one) => one !== undefined && !isCount(one));
  if (wrong !== undefined) {
    return `exec pragma fields ${fields} must be non-negative safe integers: ${mistakeIn(wrong)}`;
  }
  return {
    ...(typeof yieldMs === "number" ? { yieldMs } : {}),
    ...(typeof maxTokens === "number" ? { maxTokens } : {}),
  };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function mistakeIn(value: unknown): string {
  if (typeof value === "number") return "invalid number";
  const kind = value === null ? "null" : Array.isArray(value) ? "sequence" : typeof value;
  const shown = typeof value === "string" ? ` ${JSON.stringify(value)}` : "";
  return `invalid type: ${kind}${shown}, expected u64`;
}

const anything = parameters({}, []);
