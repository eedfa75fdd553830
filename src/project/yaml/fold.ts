/** Joins lines as YAML does: a line end becomes a blank, and each empty line a line end. */
export function foldLines(lines: readonly string[]): string {
  let text = lines[0] ?? "";
  let empty = 0;
  for (const line of lines.slice(1)) {
    if (line === "") {
      empty++;
      continue;
    }
    text += empty === 0 ? ` ${line}` : "\n".repeat(empty) + line;
    empty = 0;
  }
  return text + "\n".repeat(empty);
}
