import type { Token, Tokens } from "marked";
import { hyperlink } from "../text/hyperlink.js";
import { sanitize } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";

/**
 * Renders inline tokens; keeps line breaks.
 *
 * The parser decodes `&#27;` to an escape character, so each text is sanitized here even if the
 * source was sanitized before.
 */
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
      return theme.code(sanitize((token as Tokens.Codespan).text));
    case "br":
      return "\n";
    case "link":
      return linkText(token as Tokens.Link, theme);
    case "image": {
      const { text, href } = token as Tokens.Image;
      return theme.dim(sanitize(`[image: ${text || href}]`));
    }
    case "checkbox":
      return "";
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? harmless(text) : inlineText(tokens, theme);
    }
    case "escape":
      return harmless((token as Tokens.Escape).text);
    default:
      return sanitize(token.raw);
  }
}

/** Always shows the URL: the link text could name a different one. */
function linkText({ text, href, tokens }: Tokens.Link, theme: Theme): string {
  const label = inlineText(tokens, theme);
  const shown = hyperlink(href, theme.link(label));
  if (text === href || `mailto:${text}` === href) return shown;
  return `${shown} ${hyperlink(href, theme.dim(sanitize(`(${href})`)))}`;
}

const named: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  nbsp: " ",
};

/** Decodes the common named entities; numeric ones are already decoded. */
function harmless(text: string): string {
  const read = text.replace(/&(lt|gt|amp|quot|nbsp);/g, (found, name) => named[name] ?? found);
  return sanitize(read);
}
