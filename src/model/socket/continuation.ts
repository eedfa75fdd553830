import { isRecord, type JsonRecord, parseRecord } from "../../protocol/read/check.js";
import { readItem } from "../read-item.js";
import { toSentItem } from "../sent-item.js";

/**
 * Shortens requests on one connection.
 *
 * The server remembers the last response of a connection. A request whose input continues that of the last one, with the items of
 * its response, names the response and has only the new items.
 */
export class Continuation {
  #rest = "";
  #input: readonly string[] = [];
  #output: string[] = [];
  #responseId: string | undefined;
  #isComplete = false;

  /** Returns the message for a request. */
  message(body: JsonRecord): string {
    const { input, stream: _, ...rest } = body;
    const items: readonly unknown[] = Array.isArray(input) ? input : [];
    const known = this.#isComplete && this.#rest === restOf(body) ? this.#knownItems(items) : 0;
    const isShort = known > 0 && body.previous_response_id === undefined;
    const short = { input: items.slice(known), previous_response_id: this.#responseId };
    const text = JSON.stringify({
      type: "response.create",
      ...rest,
      ...(isShort ? short : { input }),
    });
    this.#begin(body, items);
    return text;
  }

  /** Remembers an event of the response. */
  onEvent(event: JsonRecord): void {
    if (event.type === "response.output_item.done") this.#output.push(outputText(event.item));
    if (event.type !== "response.completed") return;
    const id = isRecord(event.response) ? event.response.id : undefined;
    this.#responseId = typeof id === "string" ? id : undefined;
    this.#isComplete = this.#responseId !== undefined;
  }

  #begin(body: JsonRecord, items: readonly unknown[]): void {
    this.#rest = restOf(body);
    this.#input = items.map((item) => JSON.stringify(item));
    this.#output = [];
    this.#isComplete = false;
  }

  /** Returns the number of items that the server has; 0 if the input is another one. */
  #knownItems(items: readonly unknown[]): number {
    const start = this.#input.length;
    const known = start + this.#output.length;
    if (items.length <= known) return 0;
    const isSame =
      this.#input.every((text, at) => text === JSON.stringify(items[at])) &&
      this.#output.every((text, at) => text === comparable(items[start + at]));
    return isSame ? known : 0;
  }
}

/** Serializes what must be equal besides the input; the metadata differs from turn to turn. */
function restOf({ input: _, stream: __, client_metadata: ___, ...rest }: JsonRecord): string {
  return JSON.stringify(rest);
}

/** Returns an item of the response in the form in which a later request repeats it. */
function outputText(item: unknown): string {
  const read = readItem(item);
  return comparable(read === undefined ? undefined : toSentItem(read, "none"));
}

/** Serializes an item without what requests add or omit. */
function comparable(item: unknown): string {
  const text = JSON.stringify(item, (name, value: unknown) => {
    if (name === "id" || name === "status" || name === "annotations" || value === null) {
      return undefined;
    }
    return isRecord(value) ? sorted(value) : value;
  });
  return text ?? "";
}

function sorted(value: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Parses the body of a request. */
export function parseBody(body: Buffer): JsonRecord {
  return parseRecord(body.toString()) ?? {};
}
