const close = "\x1b]8;;\x1b\\";
/** The id marks a link that has its own line, which must not be indented or cut. */
const unbrokenStart = "\x1b]8;id=url;";

/** Creates a hyperlink (OSC 8); only for http, https and mailto URLs. */
export function hyperlink(url: string, text: string): string {
  const target = linkTarget(url);
  return target === undefined ? text : `\x1b]8;;${target}\x1b\\${text}${close}`;
}

/** Closes a hyperlink in a line that may have been cut. */
export function closeHyperlink(line: string): string {
  return line.includes("\x1b]8;") ? `${line}${close}` : line;
}

/**
 * Formats a long URL as a line that the terminal wraps, so that it can be selected and opened as
 * one.
 *
 * Such a line is wider than the screen; use {@link cutUnbroken} where each line must be one row.
 */
export function unbrokenUrl(url: string, styled: string): string {
  return `${unbrokenStart}${linkTarget(url) ?? ""}\x1b\\${styled}\x1b[0m${close}`;
}

/** Returns whether a line is a long URL, in any style. */
export function isUnbroken(line: string): boolean {
  return unbroken.test(line);
}

const unbroken = /^(?:\x1b\[[\d;]*m)*\x1b\]8;id=url;([^\x1b]*)/;

/** Cuts the line of a long URL into rows; returns other lines unchanged. */
export function cutUnbroken(line: string, width: number): string[] {
  const target = unbroken.exec(line)?.[1];
  if (target === undefined) return [line];
  const text = withoutHyperlinks(line).replaceAll(/\x1b\[[\d;]*m/g, "");
  const rows = text.match(new RegExp(`.{1,${Math.max(1, width)}}`, "gu")) ?? [];
  return rows.map((row) => `\x1b]8;;${target}\x1b\\${row}${close}`);
}

/** Removes hyperlinks, for terminals that would print the sequences. */
export function withoutHyperlinks(text: string): string {
  return text.replaceAll(/\x1b\]8;[^\x1b]*\x1b\\/g, "");
}

/** Returns the URL in ASCII, without characters that could end the sequence. */
function linkTarget(url: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)[^\s\x00-\x1f\x7f-\x9f]+$/i.test(url)) return undefined;
  return url.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
}
