/**
 * Text of unknown origin on one line of a terminal.
 *
 * What would move the cursor, colour the rest or turn text around is shown, not sent.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) => {
    if (char === "\n") return "\\n";
    if (char === "\t") return " ";
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** The same for text of several lines, whose line ends stay. */
export function visibleLines(text: string): string {
  return text
    .split("\n")
    .map((line) => visible(line))
    .join("\n");
}
