import type { ThemeName } from "./theme.js";

/** What the user may say about colours; `auto` looks at the terminal. */
export type ThemeChoice = "auto" | ThemeName;

type Environment = Readonly<Record<string, string | undefined>>;

/** The theme to begin with, from what the environment says. */
export function chooseTheme(choice: ThemeChoice, env: Environment): ThemeName {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return "mono";
  if (env.TERM === "dumb") return "mono";
  if (choice !== "auto") return choice;
  // `foreground;background`, as some terminals say it: 7 and 9 to 15 are the light ones.
  const background = Number(env.COLORFGBG?.split(";").at(-1) ?? Number.NaN);
  return background === 7 || background > 8 ? "light" : "dark";
}

/** Asks the terminal for the colour of its background. */
export const askBackground = "\x1b]11;?\x07";

/** What the terminal answered, if this is such an answer: is its background light or dark? */
export function readBackground(input: string): ThemeName | undefined {
  const answer = /^\x1b\]11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(input);
  if (answer === null) return undefined;
  const [red = 0, green = 0, blue = 0] = answer.slice(1, 4).map(share);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}

function share(hex: string): number {
  return Number.parseInt(hex, 16) / (16 ** hex.length - 1);
}
