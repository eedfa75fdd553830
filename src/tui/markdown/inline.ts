import type { Token, Tokens } from "marked";
import type { Theme } from "../theme/theme.js";

/** What stands inside a paragraph, with its styles; line ends that were written stay. */
export function inlineText(tokens: readonly Token[], theme: Theme): string {
  return tokens.map((token) => pieceText(token, theme)).join("");
}

function pieceText(token: Token, theme: Theme): string {
  switch (token.type) {
    case "strong":
      return theme.bold(inlineText((token as Tokens.Strong).tokens, theme));
    case "em":
      return theme.italic(inlineText((token as Tokens.Em).tokens, theme));
    case "del":
      return theme.strike(inlineText((token as Tokens.Del).tokens, theme));
    case "codespan":
      return theme.code(withEntities((token as Tokens.Codespan).text));
    case "br":
      return "\n";
    case "link":
      return linkText(token as Tokens.Link, theme);
    case "image": {
      const { text, href } = token as Tokens.Image;
      return theme.dim(`[image: ${text || href}]`);
    }
    case "checkbox":
      return "";
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? withEntities(text) : inlineText(tokens, theme);
    }
    case "escape":
      return withEntities((token as Tokens.Escape).text);
    default:
      return token.raw;
  }
}

/** The address is always shown: a text could name another one. */
function linkText({ text, href, tokens }: Tokens.Link, theme: Theme): string {
  const label = inlineText(tokens, theme);
  if (text === href || `mailto:${text}` === href) return theme.link(label);
  return `${theme.link(label)} ${theme.dim(`(${href})`)}`;
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** Only these few are read: one by number could stand for a control character. */
function withEntities(text: string): string {
  return text.includes("&")
    ? text.replace(/&(?:lt|gt|amp|quot|#39|nbsp);/g, (found) => entities[found] ?? found)
    : text;
}
