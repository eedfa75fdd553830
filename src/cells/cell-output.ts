import { truncateWithNotice } from "../exec/index.js";
import type { ToolOutputContent } from "../protocol/types.js";
import type { ToolOutput } from "../tools/index.js";

/** State of a cell in its output. */
type ReportedState = "completed" | "failed" | "terminated" | { running: number };

/** Output of a cell since the last one. */
export interface CellReport {
  state: ReportedState;
  parts: readonly ToolOutputContent[];
  /** Text of the error that ended it. */
  error?: string;
  /** Duration of the call. */
  ms: number;
}

const usualTokens = 10_000;

/** Returns the output for the model: a header, then the parts; texts over the limit lose their middle. */
export function toCellOutput(report: CellReport, maxTokens: number = usualTokens): ToolOutput {
  const { state, ms, error } = report;
  const name = typeof state === "string" ? state : `running with cell ID ${state.running}`;
  const text = `Script ${name}\nWall time ${(ms / 1000).toFixed(1)} seconds\nOutput:\n`;
  const all: ToolOutputContent[] = [
    ...report.parts,
    ...(error === undefined ? [] : [toText(`Script error:\n${error}`)]),
  ];
  const success = state !== "failed";
  if (all.length === 0) return { text, success };
  return { text, success, parts: [toText(text), ...withinLimit(all, maxTokens)] };
}

function withinLimit(parts: ToolOutputContent[], limit: number): ToolOutputContent[] {
  const texts = parts.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
  const whole = texts.join("\n");
  const shown = truncateWithNotice(whole, { mode: "tokens", limit }, { tokenNotice: true });
  if (shown === whole) return parts;
  return [toText(shown), ...parts.filter(({ type }) => type !== "input_text")];
}

function toText(text: string): ToolOutputContent {
  return { type: "input_text", text };
}

/** Returns the part for a picture, or a text in its place that says why it is missing. */
export function toPicture(url: string, detail: string | null): ToolOutputContent {
  const known = ["high", "original", "auto"];
  if (detail !== null && !known.includes(detail)) {
    return toText(
      `image content omitted because detail '${detail}' is not supported; use 'high', 'original', or 'auto'`,
    );
  }
  if (!isPicture(url)) return toText("image content omitted because it could not be processed");
  return { type: "input_image", image_url: url, ...(detail === null ? {} : { detail }) };
}

/** A server rejects a whole request for one picture that it cannot read. */
function isPicture(url: string): boolean {
  const [, type, data = ""] = /^data:image\/(\w+);base64,(.*)$/s.exec(url) ?? [];
  if (type === undefined || url.length > largest) return false;
  const bytes = Buffer.from(data, "base64");
  const head = bytes.toString("latin1", 0, 12);
  const isKnown = /^(?:\x89PNG\r\n|\xff\xd8\xff|GIF8|RIFF....WEBP)/s.test(head);
  return isKnown && bytes.length > 24;
}

const largest = 20 * 1024 * 1024;

/** Converts the output of a tool: a failure is thrown, a value is returned, text that is JSON is parsed. */
export function toResult({
  text,
  success,
  value,
}: ToolOutput): { value: string } | { error: string } {
  if (value !== undefined) return { value: JSON.stringify(value) };
  if (!success) return { error: text };
  return { value: isJsonObject(text) ? text : JSON.stringify(text) };
}

function isJsonObject(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
