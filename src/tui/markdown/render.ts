import type { Token, Tokens } from "marked";
import { hang, prefixed, widthOf, wrap, wrapProse } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import { BlockStream } from "./blocks.js";
import { inlineText } from "./inline.js";
import { tableLines } from "./table.js";

/** Longer blocks are shown as plain text: parsing some of them takes quadratic time. */
const mostRead = 16_000;

/** Renders Markdown to styled lines; sanitizes the source. */
export function renderMarkdown(source: string, view: View): string[] {
  const text = sanitize(source);
  if (text.length <= mostRead) return pieceLines(text, view);
  const blocks = new BlockStream();
  return [...blocks.push(text), ...blocks.end()].flatMap(({ source, isTight }, index) => {
    const lines = pieceLines(source, view);
    return index === 0 || isTight ? lines : ["", ...lines];
  });
}

/** Renders incomplete Markdown. Code is highlighted once, when the block is complete. */
export function renderLiveMarkdown(source: string, view: View): string[] {
  const { highlight: _, ...plain } = view;
  return renderMarkdown(source, plain);
}

function pieceLines(text: string, view: View): string[] {
  const isReadable = text.length <= mostRead || /^(?:`{3}|~{3})/.test(text);
  if (view.lex === undefined || !isReadable) return wrap(text, view.width);
  try {
    return blocksLines(view.lex(text), view);
  } catch (error) {
    // Nested quotes can exceed the stack.
    if (!(error instanceof RangeError)) throw error;
    return wrap(text, view.width);
  }
}

function blocksLines(tokens: readonly Token[], view: View): string[] {
  const lines: string[] = [];
  let isAfterText = false;
  for (const token of tokens) {
    if (token.type === "space" || token.type === "def") continue;
    const own = blockLines(token, view);
    // In a list item, no blank line separates the text from a nested list.
    if (lines.length > 0 && !(isAfterText && token.type === "list")) lines.push("");
    lines.push(...own);
    isAfterText = token.type === "text";
  }
  return lines;
}

function blockLines(token: Token, view: View): string[] {
  const { theme, width } = view;
  switch (token.type) {
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      const text = inlineText(tokens, theme);
      return wrap(depth === 1 ? theme.underline(theme.heading(text)) : theme.heading(text), width);
    }
    case "code":
      return codeLines(token as Tokens.Code, view);
    case "blockquote": {
      const inner = blocksLines((token as Tokens.Blockquote).tokens, { ...view, width: width - 2 });
      return prefixed(inner.map(theme.italic), theme.dim("│ "), theme.dim("│ "));
    }
    case "list":
      return listLines(token as Tokens.List, view);
    case "table":
      return tableLines(token as Tokens.Table, view);
    case "hr":
      return [theme.dim("─".repeat(Math.min(width, 24)))];
    case "paragraph":
      return wrapProse(inlineText((token as Tokens.Paragraph).tokens, theme), width);
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      const shown = tokens === undefined ? sanitize(text) : inlineText(tokens, theme);
      return wrapProse(shown, width);
    }
    default:
      return wrap(sanitize(token.raw).trimEnd(), width);
  }
}

function codeLines({ text, lang = "" }: Tokens.Code, { theme, width, highlight }: View): string[] {
  const language = lang.split(/[\s,{]/)[0] ?? "";
  const code = sanitize(text);
  const colored = highlight?.(code, language) ?? code.split("\n").map(theme.code);
  return colored.flatMap((line) => hang(line, width, "  "));
}

function listLines({ items, ordered, start, loose }: Tokens.List, view: View): string[] {
  const first = Number(start === "" ? 1 : start);
  return items.flatMap((item, index) => {
    const box = item.task ? (item.checked ? "☑ " : "☐ ") : "";
    const mark = ordered ? `${first + index}. ` : box === "" ? "- " : "";
    const marker = view.theme.accent(`${mark}${box}`);
    const indent = " ".repeat(widthOf(mark) + box.length);
    const lines = blocksLines(withoutBox(item.tokens), {
      ...view,
      width: Math.max(1, view.width - widthOf(mark) - box.length),
    });
    const shown = prefixed(lines.length === 0 ? [""] : lines, marker, indent);
    return loose && index > 0 ? ["", ...shown] : shown;
  });
}

/** Drops the checkbox token of a task; the list marker shows it. */
function withoutBox(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.type !== "checkbox");
}
