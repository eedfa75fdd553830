import { asString } from "../lib/text.js";
import { isRecord, parseRecord } from "../protocol/read/check.js";

/** A refusal of a server and its attempt. */
export interface RefusalFacts {
  /** Status with its name, such as `429 Too Many Requests`. */
  statusLine: string;
  url: string;
  body: string;
  requestId?: string | undefined;
  /** Set for retryable refusals: number of the attempt and total. */
  attempt?: { number: number; of: number } | undefined;
}

/** Returns the server's message, followed by facts that help to find the cause. */
export function refusalText({ statusLine, url, body, requestId, attempt }: RefusalFacts): string {
  const facts = [
    `status ${statusLine}`,
    `url: ${url}`,
    ...(requestId === undefined ? [] : [`request id: ${requestId}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt.number} of ${attempt.of}`]),
  ];
  return `${sentenceOf(body)} (${facts.join(", ")})`;
}

/** Returns the server's error code, such as `context_length_exceeded`. */
export function refusalCode(body: string): string | undefined {
  const record = parseRecord(body);
  const error = isRecord(record?.error) ? record.error : record;
  return asString(error?.code) ?? asString(error?.type) ?? reasonIn(error?.details);
}

/** Gemini's code is the status; only its details name the reason. */
function reasonIn(details: unknown): string | undefined {
  const list = Array.isArray(details) ? details : [];
  return list.map((one) => (isRecord(one) ? asString(one.reason) : undefined)).find(Boolean);
}

/**
 * Returns true if a server states that the conversation is longer than the model can read. Only OpenAI's has a code
 * for it; Anthropic's, Gemini's and local ones have a sentence.
 */
export function saysTooLong(status: number, body: string): boolean {
  return (status === 400 || status === 413) && tooLong.test(sentenceOf(body));
}

const tooLong =
  /prompt is too long|exceeds? (the )?(maximum number of tokens|(available )?context)|maximum context length/i;

/** Other servers have their message in other fields than OpenAI's. */
function sentenceOf(body: string): string {
  const record = parseRecord(body);
  const error = record?.error;
  const found = isRecord(error)
    ? (asString(error.message) ?? asString(error.detail))
    : (asString(error) ?? asString(record?.message) ?? asString(record?.detail));
  const sentence = found?.trim() || (body.trimStart().startsWith("<") ? pageText(body) : body);
  const line = sentence.replaceAll(/\s+/g, " ").trim();
  return line === "" ? "The model's server gave no reason" : cut(line);
}

/** The title of a proxy's error page is its most useful part. */
function pageText(html: string): string {
  const [, title = ""] = /<title[^>]*>(.*?)<\/title>/is.exec(html) ?? [];
  return title.trim() || html.replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, " ");
}

const longestSentence = 1000;

function cut(text: string): string {
  return text.length <= longestSentence ? text : `${text.slice(0, longestSentence)}…`;
}
