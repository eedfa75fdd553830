import { randomUuid } from "../../lib/ids.js";
import type { Blobs } from "../broker.js";
import type { Connection } from "./connection.js";
import { headerNames, readMessage } from "./messages.js";
import type { Subjects } from "./subjects.js";

/** Values in pieces, by names whose parts are separated by `/`: each piece is a message, and the last message says how many there are. */
export function createBlobs(connection: Connection, subjects: Subjects): Blobs {
  const stream = subjects.stream("blob");
  const read = (name: string, part: string) =>
    readMessage(connection, stream, {
      last_by_subj: subjects.of("blob", ...name.split("/"), part),
    });

  return {
    async put(name, value) {
      const count = Math.ceil(value.length / pieceBytes);
      const store = (part: string, payload: string | Uint8Array) =>
        connection.store(subjects.of("blob", ...name.split("/"), part), payload, {
          headers: { [headerNames.messageId]: randomUuid() },
        });
      for (let piece = 0; piece < count; piece++) {
        const start = piece * pieceBytes;
        await store(String(piece), value.subarray(start, start + pieceBytes));
      }
      await store("size", JSON.stringify({ count, bytes: value.length }));
    },

    async get(name) {
      const size = await read(name, "size");
      if (size === undefined) return undefined;
      const { count, bytes } = JSON.parse(Buffer.from(size.data).toString());
      if (!(Number.isInteger(count) && count >= 0 && count <= mostPieces)) return undefined;
      const pieces: Uint8Array[] = [];
      for (let piece = 0; piece < count; piece++) {
        const message = await read(name, String(piece));
        if (message === undefined) return undefined;
        pieces.push(message.data);
      }
      const value = Buffer.concat(pieces);
      return value.length === bytes ? new Uint8Array(value) : undefined;
    },
  };
}

const pieceBytes = 256 * 1024;
const mostPieces = 4096;
