import { hiddenCharacters, spellHidden } from "../../lib/hidden-characters.js";

/**
 * Removes everything from text that could control the terminal.
 *
 * Escape sequences are removed with their payload; line breaks stay, tabs become spaces.
 * Bidirectional controls are removed too, since they make a line read differently from its content.
 */
export function sanitize(text: string): string {
  if (isPlain.test(text)) return text;
  return expandTabs(withoutOverwritten(text.replace(escapes, "")).replace(hiddenCharacters, ""));
}

/** Sanitizes text and joins it to one line. */
export function oneLine(text: string): string {
  const [first = "", ...others] = sanitize(text).split("\n");
  const last = others.pop();
  if (last === undefined) return first;
  const between = others.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ");
}

/**
 * Like {@link sanitize}, for text that the user approves, such as a command or path: hidden
 * characters are replaced with visible ones instead of being removed.
 */
export function reveal(text: string): string {
  if (isPlain.test(text)) return text;
  return expandTabs(spellHidden(text));
}

const isPlain = /^[\n\x20-\x7e]*$/;
/** CSI; OSC, DCS, SOS, PM and APC strings; other escapes; each in 7 and 8 bits. */
const escapes =
  /(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[\x20-\x2f]*[\x30-\x7e]?/g;

/** Applies carriage returns: a terminal would have overwritten the text before them. */
function withoutOverwritten(text: string): string {
  if (!text.includes("\r")) return text;
  return text.split("\n").map(lastWritten).join("\n");
}

function lastWritten(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end -= 1;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

function expandTabs(text: string): string {
  return text.includes("\t") ? text.replaceAll("\t", "    ") : text;
}
