/** Applies a style to text. */
export type Style = (text: string) => string;

/** The styles of the terminal UI, by purpose. */
export interface Theme {
  id: ThemeName;
  bold: Style;
  dim: Style;
  italic: Style;
  underline: Style;
  strike: Style;
  /** Prompts and the selected item. */
  accent: Style;
  /** Names of files, commands and tools. */
  name: Style;
  code: Style;
  heading: Style;
  link: Style;
  success: Style;
  warning: Style;
  failure: Style;
  added: Style;
  removed: Style;
  hunk: Style;
  selected: Style;
  syntax: Readonly<Record<SyntaxClass, Style>>;
}

/** Names of the themes. */
export type ThemeName = "dark" | "light" | "mono";

/** Token classes of the highlighter. */
export type SyntaxClass =
  | "keyword"
  | "string"
  | "comment"
  | "number"
  | "title"
  | "type"
  | "meta"
  | "added"
  | "removed";

/** Creates the styles of a theme; `mono` has no colors. */
export function createTheme(id: ThemeName): Theme {
  const color = id === "mono" ? () => plain : id === "light" ? on.light : on.dark;
  return {
    id,
    bold,
    dim,
    italic: sgr(3, 23),
    underline: sgr(4, 24),
    strike: sgr(9, 29),
    accent: color("cyan"),
    name: color("cyan"),
    code: color("cyan"),
    heading: id === "mono" ? bold : (text) => bold(color("magenta")(text)),
    link: id === "mono" ? sgr(4, 24) : (text) => sgr(4, 24)(color("blue")(text)),
    success: color("green"),
    warning: color("yellow"),
    failure: color("red"),
    added: color("green"),
    removed: color("red"),
    hunk: color("magenta"),
    selected: id === "mono" ? sgr(7, 27) : (text) => bold(color("cyan")(text)),
    syntax: {
      keyword: color("magenta"),
      string: color("green"),
      comment: dim,
      number: color("yellow"),
      title: color("blue"),
      type: color("cyan"),
      meta: color("yellow"),
      added: color("green"),
      removed: color("red"),
    },
  };
}

const plain: Style = (text) => text;
const bold = sgr(1, 22);
const dim = sgr(2, 22);

type Color = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";
const codes: Record<Color, number> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
};
/** Darker than the terminal's palette: yellow and cyan are unreadable on white. */
const onWhite: Record<Color, number> = {
  red: 124,
  green: 28,
  yellow: 130,
  blue: 25,
  magenta: 90,
  cyan: 30,
};

const on = {
  dark: (name: Color) => sgr(codes[name], 39),
  light: (name: Color) => sgr(`38;5;${onWhite[name]}`, 39),
};

function sgr(open: number | string, close: number): Style {
  return (text) => (text === "" ? text : `\x1b[${open}m${text}\x1b[${close}m`);
}

/** Value of `tui.theme`; `auto` matches the terminal. */
export type ThemeChoice = "auto" | ThemeName;

type Environment = Readonly<Record<string, string | undefined>>;

/** Chooses the initial theme from the environment. */
export function chooseTheme(choice: ThemeChoice, env: Environment): ThemeName {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return "mono";
  if (env.TERM === "dumb") return "mono";
  if (choice !== "auto") return choice;
  // `foreground;background`; 7 and 9 to 15 are light.
  const background = Number(env.COLORFGBG?.split(";").at(-1) ?? Number.NaN);
  return background === 7 || background > 8 ? "light" : "dark";
}

/** Queries the background color of the terminal. */
export const askBackground = "\x1b]11;?\x07";

/** Parses the reply to that query. */
export function readBackground(input: string): ThemeName | undefined {
  const answer = /^\x1b\]11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(input);
  if (answer === null) return undefined;
  const [red = 0, green = 0, blue = 0] = answer.slice(1, 4).map(share);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}

function share(hex: string): number {
  return Number.parseInt(hex, 16) / (16 ** hex.length - 1);
}
