import {
  background,
  type ColorDepth,
  type ColorName,
  foreground,
  isLightColor,
  palettes,
  type Rgb,
  shadeOf,
} from "./colors.js";

/** Applies a style to text. */
export type Style = (text: string) => string;

/**
 * The sequence that sets a background; empty if the theme has none. See `onBackground`.
 */
export type Background = string;

/** The styles of the terminal UI, by purpose. */
export interface Theme {
  id: ThemeName;
  bold: Style;
  dim: Style;
  italic: Style;
  underline: Style;
  strike: Style;
  /** Pending questions, prompts and the selected item. */
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
  /** Words that differ within a changed line. */
  addedWord: Style;
  removedWord: Style;
  /** Backgrounds of messages of the user and the composer, and of changed lines. */
  backgrounds: Readonly<Record<"shade" | "added" | "removed", Background>>;
  syntax: Readonly<Record<SyntaxClass, Style>>;
}

/** Names of the themes; `ansi` uses the 16 colors of the terminal's palette. */
export type ThemeName = "dark" | "light" | "ansi" | "mono";

/** A theme, with what is known of the terminal. */
export interface ThemeSpec {
  name: ThemeName;
  /** Default: 256 colors. */
  depth?: ColorDepth | undefined;
  /** Background color of the terminal, if it reported it. */
  behind?: Rgb | undefined;
}

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
export function createTheme(spec: ThemeSpec | ThemeName): Theme {
  const { name, depth = "256", behind } = typeof spec === "string" ? { name: spec } : spec;
  const isMono = name === "mono";
  const colors = paint(name, name === "ansi" ? "16" : depth, behind);
  const muted = colors.text("muted");
  const dim = muted === plain ? sgr(2, 22) : muted;
  const { text, fill } = colors;
  return {
    id: name,
    bold,
    dim,
    italic: sgr(3, 23),
    underline,
    strike: sgr(9, 29),
    accent: text("accent"),
    name: text("name"),
    code: text("name"),
    heading: isMono ? bold : (words) => bold(text("violet")(words)),
    link: (words) => underline(text("accent")(words)),
    success: text("success"),
    warning: text("warning"),
    failure: text("failure"),
    added: text("success"),
    removed: text("failure"),
    hunk: text("violet"),
    selected: isMono ? sgr(7, 27) : (words) => bold(text("accent")(words)),
    addedWord: word(fill("addedWord"), fill("addedRow")),
    removedWord: word(fill("removedWord"), fill("removedRow")),
    backgrounds: {
      shade: fill("shade"),
      added: fill("addedRow"),
      removed: fill("removedRow"),
    },
    syntax: {
      keyword: text("violet"),
      string: text("success"),
      comment: dim,
      number: text("warning"),
      title: text("blue"),
      type: text("name"),
      meta: text("warning"),
      added: text("success"),
      removed: text("failure"),
    },
  };
}

/** The colors of a theme as styles and backgrounds. */
function paint(name: ThemeName, depth: ColorDepth, behind: Rgb | undefined) {
  if (name === "mono") return { text: () => plain, fill: () => "" };
  const isLight = name === "light" || (name === "ansi" && behind && isLightColor(behind));
  const palette = palettes[isLight ? "light" : "dark"];
  return {
    text: (color: ColorName) => colored(foreground(palette[color], depth)),
    fill(color: ColorName): Background {
      const isShade = color === "shade" && behind !== undefined && depth === "true";
      return background(
        isShade ? { ...palette.shade, rgb: shadeOf(behind) } : palette[color],
        depth,
      );
    },
  };
}

const plain: Style = (text) => text;
const bold = sgr(1, 22);
const underline = sgr(4, 24);

function sgr(open: number | string, close: number): Style {
  return (text) => (text === "" ? text : `\x1b[${open}m${text}\x1b[${close}m`);
}

/** Colors text, also after a part of it that has another color. */
function colored(open: string): Style {
  if (open === "") return plain;
  return (text) => {
    if (text === "") return text;
    const inner = text.includes("\x1b[39m") ? text.replaceAll("\x1b[39m", open) : text;
    return `${open}${inner}\x1b[39m`;
  };
}

/** Emphasizes words on the background of their row; underlined if there is none. */
function word(open: Background, row: Background): Style {
  if (open === "") return underline;
  return (text) => (text === "" ? text : `${open}${text}${row}`);
}

/** Value of `tui.theme`; `auto` matches the terminal. */
export type ThemeChoice = "auto" | ThemeName;

/** All values of `tui.theme`, with their descriptions. */
export const themeChoices: Readonly<Record<ThemeChoice, string>> = {
  auto: "match the background of the terminal",
  dark: "for a dark background",
  light: "for a light background",
  ansi: "the 16 colors of the terminal's palette",
  mono: "no colors",
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Chooses the initial theme from the environment. */
export function chooseTheme(choice: ThemeChoice, env: Environment): ThemeName {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return "mono";
  if (env.TERM === "dumb") return "mono";
  if (choice !== "auto") return choice;
  // `foreground;background`; 7 and 9 to 15 are light.
  const behind = Number(env.COLORFGBG?.split(";").at(-1) ?? Number.NaN);
  return behind === 7 || behind > 8 ? "light" : "dark";
}

/** Queries the background color of the terminal. */
export const askBackground = "\x1b]11;?\x07";

/** Parses the reply to that query. */
export function readBackground(input: string): Rgb | undefined {
  const answer = /^\x1b\]11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(input);
  if (answer === null) return undefined;
  const [red = 0, green = 0, blue = 0] = answer.slice(1, 4).map(part);
  return [red, green, blue];
}

/** Returns the theme that suits a background. */
export function themeOn(behind: Rgb): "dark" | "light" {
  return isLightColor(behind) ? "light" : "dark";
}

function part(hex: string): number {
  return Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
}
