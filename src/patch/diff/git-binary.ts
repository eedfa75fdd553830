import { deflateSync } from "node:zlib";

const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const BYTES_A_LINE = 52;

/** Writes contents as a `literal` block of a git binary patch, which `git apply` can read back. */
export function gitBinaryLiteral(contents: Uint8Array): string {
  const packed = deflateSync(contents);
  const lines = [`literal ${contents.length}\n`];
  for (let start = 0; start < packed.length; start += BYTES_A_LINE) {
    const part = packed.subarray(start, start + BYTES_A_LINE);
    lines.push(lengthLetter(part.length), base85(part), "\n");
  }
  lines.push("\n");
  return lines.join("");
}

/** A for 1 byte to Z for 26, then a to z. */
function lengthLetter(length: number): string {
  const code = length <= 26 ? length + 64 : length - 26 + 96;
  return String.fromCharCode(code);
}

function base85(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 4) {
    let value = 0;
    for (let index = 0; index < 4; index++) value = value * 256 + (bytes[start + index] ?? 0);
    let group = "";
    for (let index = 0; index < 5; index++) {
      group = ALPHABET.charAt(value % 85) + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}
