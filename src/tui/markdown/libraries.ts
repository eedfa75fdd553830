import type { HLJSApi, LanguageFn } from "highlight.js";
import type { Token } from "marked";
import type { SyntaxClass, Theme } from "../theme/theme.js";

/** Parses Markdown to tokens. */
export type Lex = (source: string) => Token[];

/** Loads the Markdown parser, which the first frame does not need. */
export async function loadLex(): Promise<Lex> {
  const { Lexer } = await import("marked");
  return (source) => new Lexer({ gfm: true }).lex(source);
}

/** Highlights source code, one element per line; undefined for an unknown language. */
export type Highlight = (code: string, language: string) => string[] | undefined;

/** Longer code is not highlighted: it takes about 0.1 ms per line. */
const mostCharacters = 20_000;

/** Loads the highlighter with the most common languages. */
export async function loadHighlight(theme: () => Theme): Promise<Highlight> {
  const [{ default: core }, languages] = await Promise.all([
    import("highlight.js/lib/core"),
    import("./languages.js"),
  ]);
  for (const [name, define] of Object.entries<LanguageFn>(languages)) {
    core.registerLanguage(name, define);
  }
  return (code, language) => highlighted(core, code, language, theme());
}

function highlighted(
  core: HLJSApi,
  code: string,
  language: string,
  theme: Theme,
): string[] | undefined {
  if (code.length > mostCharacters || core.getLanguage(language) === undefined) return undefined;
  const { value } = core.highlight(code, { language, ignoreIllegals: true });
  return toLines(value, theme);
}

/** Converts the spans that highlight.js emits; the innermost class with a style wins. */
function toLines(html: string, { syntax }: Theme): string[] {
  const open: (SyntaxClass | undefined)[] = [];
  let text = "";
  for (const [piece] of html.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    const style = open.at(-1);
    if (piece === "</span>") open.pop();
    else if (piece.startsWith("<span")) open.push(classOf(piece) ?? style);
    else if (style === undefined) text += unescaped(piece);
    else text += unescaped(piece).split("\n").map(syntax[style]).join("\n");
  }
  return text.split("\n");
}

const classes: Readonly<Record<string, SyntaxClass>> = {
  keyword: "keyword",
  built_in: "type",
  type: "type",
  class: "type",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  char: "string",
  addition: "added",
  comment: "comment",
  quote: "comment",
  title: "title",
  function: "title",
  section: "title",
  name: "title",
  tag: "title",
  attr: "type",
  attribute: "type",
  property: "type",
  "selector-tag": "keyword",
  "selector-class": "type",
  meta: "meta",
  symbol: "meta",
  variable: "meta",
  "template-variable": "meta",
  deletion: "removed",
};

function classOf(span: string): SyntaxClass | undefined {
  const name = /hljs-([\w-]+)/.exec(span)?.[1];
  return name === undefined ? undefined : classes[name];
}

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#x27);/g, (found) => escaped[found] ?? found);
}

const escaped: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#x27;": "'",
};
