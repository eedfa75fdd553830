import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord, type JsonRecord, parseRecord } from "../../protocol/read/check.js";
import { isTrace, readTrace } from "./trace.js";

/** A response of the model as it was received, or the reason that there was none. */
export interface RecordedResponse {
  status: number;
  /** Status with its name, such as `200 OK`. */
  status_line: string;
  headers: Record<string, string>;
  /** The text of the stream. */
  body: string;
  /** `end`: all of it; `cut`: the connection was lost; `open`: the client left before its end. */
  ending: "end" | "cut" | "open";
  /** Message of the error, if no response was received. */
  error?: string;
}

/** A request with its response. */
export interface CassetteEntry {
  /** Number of the request, from 0. */
  n: number;
  /** Hash of the normalized request; absent if it is not known whole, so that any request fits. */
  key?: string;
  /** Path of the helper agent that asked, if there is no key: agents ask at the same time. */
  agent?: string;
  /** The normalized request. */
  request: { api: string; body: unknown };
  response: RecordedResponse;
}

/** Version of the format that this program writes, and the newest that it reads. */
export const cassetteVersion = 1;

/** First line of a cassette. */
export const headerLine = `${JSON.stringify({ format: "quire-cassette", version: cassetteVersion })}\n`;

/** Last line of a cassette; one without it was cut off. */
export function endLine(count: number): string {
  return `${JSON.stringify({ end: count })}\n`;
}

/**
 * Writes entries as lines.
 *
 * Consecutive requests repeat most of a conversation, so large parts of a request are written once and named by their hash.
 */
export class EntryWriter {
  readonly #known = new Set<string>();

  /** Returns the lines of an entry. */
  lines({ request, ...entry }: CassetteEntry): string {
    const parts: string[] = [];
    const body = mapParts(request.body, (value) => this.#part(value, parts));
    parts.push(JSON.stringify({ ...entry, request: { ...request, body } }));
    return `${parts.join("\n")}\n`;
  }

  #part(value: unknown, parts: string[]): unknown {
    const json = JSON.stringify(value);
    if (json === undefined || json.length < smallestPart) return value;
    const hash = createHash("sha256").update(json).digest("hex").slice(0, 16);
    if (!this.#known.has(hash)) parts.push(JSON.stringify({ part: hash, value }));
    this.#known.add(hash);
    return { $part: hash };
  }
}

/** Length of the JSON from which a part is written separately. */
const smallestPart = 200;

/** Reads a cassette, or a trace of the reference. Throws a `CodexError` that names the file and the line. */
export async function readCassette(file: string): Promise<CassetteEntry[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw problem(file, `cannot be read: ${errorText(error)}`, error);
  }
  if (isTrace(text)) return readTrace(text);
  const lines = text.split("\n");
  checkHeader(file, parseRecord(lines[0] ?? ""));
  return readLines(file, lines.slice(1));
}

/** Returns true if the text starts like a cassette of any version. */
export function isCassette(text: string): boolean {
  return parseRecord(text.split("\n", 1)[0] ?? "")?.format === "quire-cassette";
}

function checkHeader(file: string, header: JsonRecord | undefined): void {
  if (header?.format !== "quire-cassette") {
    throw problem(file, "is not a cassette: record one with `quire record FILE -- exec PROMPT`");
  }
  const { version } = header;
  if (version === cassetteVersion) return;
  throw problem(
    file,
    `has version ${JSON.stringify(version)} of the format, and this program reads version ${cassetteVersion}: update it, or record again`,
  );
}

function readLines(file: string, lines: readonly string[]): CassetteEntry[] {
  const entries: CassetteEntry[] = [];
  const parts = new Map<unknown, unknown>();
  for (const [index, line] of lines.entries()) {
    const value = parseRecord(line);
    if (value === undefined) break;
    if (value.end === entries.length) return entries.sort((one, other) => one.n - other.n);
    if (typeof value.part === "string") parts.set(value.part, value.value);
    else entries.push(toEntry(value, parts) ?? throwAt(file, index));
  }
  throw problem(
    file,
    `was cut off after ${entries.length} responses: the recording did not end. Record it again`,
  );
}

function throwAt(file: string, index: number): never {
  throw problem(file, `has an invalid line ${index + 2}: expected a request with its response`);
}

function toEntry(value: JsonRecord, parts: Map<unknown, unknown>): CassetteEntry | undefined {
  const { n, key, request, response } = value;
  if (typeof n !== "number" || typeof key !== "string") return undefined;
  if (!isRecord(request) || typeof request.api !== "string" || !isResponse(response))
    return undefined;
  const body = mapParts(request.body, (one) =>
    isRecord(one) && parts.has(one.$part) ? parts.get(one.$part) : one,
  );
  return { n, key, request: { api: request.api, body }, response };
}

function isResponse(value: unknown): value is RecordedResponse {
  if (!isRecord(value) || !isRecord(value.headers)) return false;
  const hasTexts = typeof value.body === "string" && typeof value.status_line === "string";
  return hasTexts && typeof value.status === "number" && endings.has(value.ending);
}

const endings: ReadonlySet<unknown> = new Set(["end", "cut", "open"]);

/** Maps the members of a body, and the elements of those that are lists. */
function mapParts(body: unknown, map: (value: unknown) => unknown): unknown {
  if (!isRecord(body)) return map(body);
  const mapped = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(map) : map(value),
  ]);
  return Object.fromEntries(mapped);
}

/** Creates the error for a file that cannot be used. */
export function problem(file: string, what: string, cause?: unknown): CodexError {
  return new CodexError("invalid_request", `The cassette ${file} ${what}`, { cause });
}
