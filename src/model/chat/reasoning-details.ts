import { asString } from "../../lib/text.js";
import type { JsonRecord } from "../../protocol/read/check.js";

/**
 * Collects `reasoning_details`, which some servers want back unchanged with the calls that follow.
 *
 * They arrive in pieces; pieces of one detail have its index and type.
 */
export class ReasoningDetails {
  readonly all: JsonRecord[] = [];

  add(pieces: readonly JsonRecord[]): void {
    for (const piece of pieces) {
      const last = this.all.at(-1);
      if (last === undefined || last.index !== piece.index || last.type !== piece.type) {
        this.all.push({ ...piece });
        continue;
      }
      for (const [name, value] of Object.entries(piece)) {
        const before = last[name];
        const grows = grown.has(name) && typeof before === "string" && typeof value === "string";
        if (grows) last[name] = before + value;
        else if (value !== null && value !== undefined) last[name] = value;
      }
    }
  }

  /** Returns the readable text of pieces. */
  textOf(pieces: readonly JsonRecord[]): string {
    return pieces.map((piece) => asString(piece.text) || asString(piece.summary) || "").join("");
  }
}

/** Fields that arrive in pieces; the others are whole. */
const grown: ReadonlySet<string> = new Set(["text", "summary", "data"]);
