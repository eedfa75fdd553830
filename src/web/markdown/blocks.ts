/**
 * Splits Markdown into blocks that can be rendered separately.
 *
 * While a text grows only its last block changes, so that the others are rendered once. A split is
 * made at an empty line before text that cannot continue the block: not in a code block, and not
 * before an indented line or a list item.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  let at = 0;
  let fence = "";
  let isAfterEmpty = false;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? text.length : end);
    if (fence !== "") {
      if (line.trimStart().startsWith(fence) && line.trim().replaceAll(fence[0] ?? "", "") === "") {
        fence = "";
      }
    } else {
      if (isAfterEmpty && at > start && startsBlock(line)) {
        blocks.push(text.slice(start, at));
        start = at;
      }
      fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    }
    isAfterEmpty = fence === "" && line.trim() === "";
    if (end < 0) break;
    at = end + 1;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
}

function startsBlock(line: string): boolean {
  return line !== "" && !/^(?:\s|[-*+] |\d+[.)] |\[)/.test(line);
}
