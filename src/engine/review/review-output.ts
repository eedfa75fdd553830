import { isRecord } from "../../protocol/read/record.js";
import type { ReviewFinding, ReviewOutputEvent } from "../../protocol/types.js";

/** Reads the reviewer's last message: as JSON, as text around JSON, else as an explanation. */
export function parseReviewOutput(text: string): ReviewOutputEvent {
  const json = readJson(text) ?? readJson(betweenBraces(text));
  if (json !== undefined) return json;
  return {
    findings: [],
    overall_correctness: "",
    overall_explanation: text,
    overall_confidence_score: 0,
  };
}

function betweenBraces(text: string): string {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  return start < 0 || end < start ? "" : text.slice(start, end + 1);
}

function readJson(text: string): ReviewOutputEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !Array.isArray(value.findings)) return undefined;
  const findings = value.findings.map(toFinding);
  if (!findings.every((finding) => finding !== undefined)) return undefined;
  return {
    findings,
    overall_correctness: textOr(value.overall_correctness, ""),
    overall_explanation: textOr(value.overall_explanation, ""),
    overall_confidence_score: numberOr(value.overall_confidence_score, 0),
  };
}

function toFinding(value: unknown): ReviewFinding | undefined {
  if (!isRecord(value) || typeof value.title !== "string" || typeof value.body !== "string") {
    return undefined;
  }
  const location = isRecord(value.code_location) ? value.code_location : {};
  const range = isRecord(location.line_range) ? location.line_range : {};
  return {
    title: value.title,
    body: value.body,
    confidence_score: numberOr(value.confidence_score, 0),
    priority: numberOr(value.priority, 0),
    code_location: {
      absolute_file_path: textOr(location.absolute_file_path, ""),
      line_range: { start: numberOr(range.start, 0), end: numberOr(range.end, 0) },
    },
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
