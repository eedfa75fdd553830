/** Control, bidirectional and other invisible characters; line breaks and tabs are not among them. */
export const hiddenCharacters =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

/**
 * Replaces hidden characters with visible ones, in text that a user approves, such as a command or
 * path: they make a line read differently from its content.
 */
export function spellHidden(text: string): string {
  return isPlain.test(text) ? text : text.replace(/\r\n/g, "\n").replace(hidden, spelled);
}

const isPlain = /^[\n\x20-\x7e]*$/;
const hidden = new RegExp(`(?!\\t|\\n)(?:${hiddenCharacters.source})`, "g");

function spelled(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `<${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
