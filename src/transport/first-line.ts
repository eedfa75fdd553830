/**
 * Creates a check of the bytes a connection starts with: true once they open a JSON object, false
 * once they cannot, undefined while only blank bytes have come.
 *
 * It decides on the first byte that counts, so that nothing is buffered for a peer that speaks
 * another protocol and never sends a newline.
 */
export function startsAsObject(): (chunk: Uint8Array) => boolean | undefined {
  let decided: boolean | undefined;
  let seen = 0;
  return (chunk) => {
    for (const byte of chunk) {
      if (decided !== undefined) return decided;
      if (seen < byteOrderMark.length && byte === byteOrderMark[seen]) seen++;
      else if (seen > 0 && seen < byteOrderMark.length) decided = false;
      else if (!blanks.has(byte)) decided = byte === openBrace;
    }
    return decided;
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const blanks = new Set([0x20, 0x09, 0x0d, 0x0a]);
const openBrace = 0x7b;
