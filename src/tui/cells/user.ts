import type { UserCell } from "../state/cell.js";
import { hang } from "../text/layout.js";
import { onBackground } from "../text/on-background.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { UserInput } from "../wire.js";

/** Renders a message of the user, on a shaded bar if the theme has one. */
export function userLines({ input }: UserCell, { theme, width }: View): string[] {
  const text = sanitize(inputText(input)).trimEnd();
  const lines = hang(text, width, theme.bold(theme.accent("› ")));
  return lines.map((line) => onBackground(line.trimEnd(), theme.backgrounds.shade, width));
}

/** Returns the input of a turn as text; images and skills become placeholders. */
export function inputText(input: readonly UserInput[]): string {
  const words = input.flatMap((piece) => (piece.type === "text" ? piece.text : [])).join("\n");
  let images = 0;
  const isNamed = ({ type }: UserInput) => {
    if (type !== "image" && type !== "localImage") return false;
    images += 1;
    return words.includes(`[Image #${images}]`);
  };
  return input
    .map((piece) => (isNamed(piece) ? "" : pieceText(piece)))
    .filter((text) => text !== "")
    .join("\n");
}

function pieceText(piece: UserInput): string {
  switch (piece.type) {
    case "text":
      return piece.text;
    case "image":
      return "[image]";
    case "localImage":
      return `[image ${piece.path}]`;
    case "skill":
      return `[skill ${piece.name}]`;
    case "mention":
      return `[${piece.name}]`;
    default:
      return "";
  }
}
