import { randomUuid } from "../../lib/ids.js";
import { CodexError } from "../../protocol/error.js";
import type { Blobs } from "../broker.js";
import { parseBody } from "./chain.js";
import { headerNames, type StoredMessage } from "./messages.js";

/** Values as bodies of messages. Large ones are stored as blobs, and the message has their name. */
export class Values {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** Encodes a value of a thread. */
  async encode(
    value: object,
    threadId: string,
  ): Promise<{ payload: string; headers: Record<string, string> }> {
    const payload = JSON.stringify(value);
    if (payload.length <= mostInline / 4 || Buffer.byteLength(payload) <= mostInline) {
      return { payload, headers: {} };
    }
    const name = `${threadId}/${randomUuid()}`;
    await this.#blobs.put(name, Buffer.from(payload));
    return { payload: "", headers: { [headerNames.blob]: name } };
  }

  async decode({ headers, data }: StoredMessage): Promise<unknown> {
    const name = headers.get(headerNames.blob);
    if (name === undefined) return parseBody(data);
    const value = await this.#blobs.get(name);
    if (value === undefined) throw new CodexError("invalid_request", `The blob ${name} is missing`);
    return parseBody(value);
  }
}

const mostInline = 256 * 1024;
