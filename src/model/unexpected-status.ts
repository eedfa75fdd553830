import { asString, takeFirstBytes } from "../lib/text.js";
import { isRecord, parseRecord } from "../protocol/read/check.js";

const longestBody = 1000;

/** A response with an unexpected status, with facts to find it in a server's log. */
export interface UnexpectedStatus {
  /** Such as `403 Forbidden`. */
  statusLine: string;
  body: string;
  url?: string | undefined;
  cfRay?: string | undefined;
  requestId?: string | undefined;
}

/** Returns the message for the user, with the server's message if there is one. */
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
