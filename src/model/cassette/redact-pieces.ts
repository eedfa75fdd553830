import { isRecord, type JsonRecord, parseRecord } from "../../protocol/read/check.js";

/** A piece of a text that is streamed: a field of an event. */
interface Piece {
  line: number;
  holder: JsonRecord;
  name: string;
  text: string;
}

/**
 * Redacts texts that a stream of events has in pieces, which none of its events has whole.
 *
 * The first piece of such a text gets all of it, and the others are empty.
 */
export function redactPieces(body: string, redact: (text: string) => string): string {
  const lines = body.split("\n");
  const events = new Map<number, JsonRecord>();
  const texts = new Map<string, Piece[]>();
  for (const [line, text] of lines.entries()) {
    const event = text.startsWith("data:") ? parseRecord(text.slice("data:".length)) : undefined;
    if (event === undefined) continue;
    events.set(line, event);
    for (const [key, piece] of piecesIn(event, "")) {
      const known = texts.get(key) ?? [];
      known.push({ line, ...piece });
      texts.set(key, known);
    }
  }
  const changed = new Set<number>();
  for (const pieces of texts.values()) {
    const whole = redact(pieces.map(({ text }) => text).join(""));
    if (whole === pieces.map(({ text }) => redact(text)).join("")) continue;
    for (const [index, { line, holder, name }] of pieces.entries()) {
      holder[name] = index === 0 ? whole : "";
      changed.add(line);
    }
  }
  for (const line of changed) lines[line] = `data: ${JSON.stringify(events.get(line))}`;
  return lines.join("\n");
}

/** Yields the pieces of an event; those of one text have the same key. */
function* piecesIn(value: unknown, path: string): Generator<[string, Omit<Piece, "line">]> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries())
      yield* piecesIn(one, `${path}/${placeOf(one, index)}`);
  }
  if (!isRecord(value)) return;
  const place = `${path}/${placeOf(value, "")}`;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== "string") yield* piecesIn(inner, `${place}/${name}`);
    else if (pieceNames.has(name)) {
      yield [`${place}/${name}`, { holder: value, name, text: inner }];
    }
  }
}

/** Returns the fields that say which item and part of it an object is about. */
function placeOf(value: unknown, otherwise: number | string): string {
  if (!isRecord(value)) return String(otherwise);
  const { index = otherwise, type, item_id, output_index, content_index, summary_index } = value;
  return JSON.stringify([index, type, item_id, output_index, content_index, summary_index]);
}

/** Fields that have pieces of a text in one of the protocols. */
const pieceNames: ReadonlySet<string> = new Set([
  "arguments",
  "content",
  "delta",
  "partial_json",
  "reasoning",
  "reasoning_content",
  "refusal",
  "text",
  "thinking",
]);
