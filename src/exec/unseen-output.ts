/**
 * Returns the part of a terminal's output that was not in an earlier copy of it.
 *
 * Where the terminal has changed a line, that is the whole line and what follows. `isTruncated` means
 * that the beginning of the output is missing.
 */
export function unseenOutput(seen: string, text: string, isTruncated: boolean): string {
  if (isTruncated) {
    const tail = seen.slice(-tailLength);
    const at = tail === "" ? -1 : text.lastIndexOf(tail);
    return at < 0 ? text : text.slice(at + tail.length);
  }
  const same = commonLength(seen, text);
  if (same === seen.length) return text.slice(same);
  return text.slice(text.lastIndexOf("\n", same - 1) + 1);
}

const tailLength = 256;

function commonLength(one: string, other: string): number {
  if (other.startsWith(one)) return one.length;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
