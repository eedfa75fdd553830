import { asString, takeFirstBytes } from "../lib/text.js";
import { isRecord, parseRecord } from "../protocol/read/record.js";

const longestBody = 1000;

/** An answer with a status nobody expects, and what helps to find it in a server's log. */
export interface UnexpectedStatus {
  /** As in `403 Forbidden`. */
  statusLine: string;
  body: string;
  url?: string | undefined;
  cfRay?: string | undefined;
  requestId?: string | undefined;
}

/** Tells the user about it, with the server's own words where it has some. */
export function unexpectedStatusText(answer: UnexpectedStatus): string {
  const { statusLine, body } = answer;
  const blocked =
    statusLine.startsWith("403") && body.includes("Cloudflare") && body.includes("blocked");
  const text = blocked
    ? `Access blocked by Cloudflare. This usually happens when connecting from a restricted region (status ${statusLine})`
    : `unexpected status ${statusLine}: ${bodyText(body)}`;
  return [
    text,
    ...labelled("url", answer.url),
    ...labelled("cf-ray", answer.cfRay),
    ...labelled("request id", answer.requestId),
  ].join(", ");
}

function labelled(label: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${label}: ${value}`];
}

function bodyText(body: string): string {
  const error = parseRecord(body)?.error;
  const message = isRecord(error) ? asString(error.message)?.trim() : undefined;
  if (message) return message;
  const trimmed = body.trim();
  return trimmed === "" ? "Unknown error" : cut(trimmed);
}

function cut(text: string): string {
  return Buffer.byteLength(text) <= longestBody ? text : `${takeFirstBytes(text, longestBody)}...`;
}
