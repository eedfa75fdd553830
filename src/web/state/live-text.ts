/**
 * Text that grows while it arrives.
 *
 * Of a long text only the beginning and the end are in memory: the complete one comes with the
 * completed item.
 */
export class LiveText {
  /** Beginning of the text; all of it while it is short. */
  head = "";
  /** End of a long text; empty while the text is short. */
  tail = "";
  length = 0;

  constructor(text = "") {
    this.append(text);
  }

  append(delta: string): void {
    this.length += delta.length;
    const room = headLength - this.head.length;
    if (this.tail === "" && delta.length <= room) {
      this.head += delta;
      return;
    }
    if (room > 0 && this.tail === "") this.head += delta.slice(0, room);
    const rest = this.tail === "" ? delta.slice(Math.max(0, room)) : delta;
    this.tail += rest;
    if (this.tail.length > 2 * tailLength) this.tail = detached(this.tail.slice(-tailLength));
  }

  /** Number of characters between the beginning and the end that are not in memory. */
  get omitted(): number {
    return this.length - this.head.length - this.tail.length;
  }
}

/** Characters of a message that are shown at once. */
export const headLength = 48 * 1024;
const tailLength = 8 * 1024;

/** Copies a part of a text, which would otherwise keep all of it in memory. */
function detached(text: string): string {
  return text.split("").join("");
}
