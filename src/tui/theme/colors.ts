/** Number of colors that a terminal shows. */
export type ColorDepth = "true" | "256" | "16";

/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads from the environment how many colors the terminal shows. */
export function colorDepth(env: Environment): ColorDepth {
  const { COLORTERM = "", TERM = "", TERM_PROGRAM = "" } = env;
  if (/^(?:truecolor|24bit)$/i.test(COLORTERM)) return "true";
  if (/direct|kitty|ghostty|alacritty|wezterm|foot/i.test(TERM)) return "true";
  if (/^(?:iTerm\.app|WezTerm|vscode|ghostty)$/.test(TERM_PROGRAM)) return "true";
  return /256/.test(TERM) ? "256" : "16";
}

/** One color in each depth; in 16 colors it is part of the terminal's palette, or absent. */
interface Color {
  rgb: Rgb;
  /** Index in the palette of 256 colors. */
  indexed: number;
  /** Code of the foreground in 16 colors. */
  basic?: number;
}

/** Colors of the terminal UI, by purpose. */
export type ColorName =
  | "muted"
  | "accent"
  | "name"
  | "success"
  | "warning"
  | "failure"
  | "violet"
  | "blue"
  | "addedRow"
  | "addedWord"
  | "removedRow"
  | "removedWord"
  | "shade";

const color = (hex: string, indexed: number, basic?: number): Color => ({
  rgb: [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb,
  indexed,
  ...(basic === undefined ? {} : { basic }),
});

/** The colors for a dark and for a light background. */
export const palettes: Readonly<Record<"dark" | "light", Readonly<Record<ColorName, Color>>>> = {
  dark: {
    muted: color("#9a9fa8", 247),
    accent: color("#8da4ef", 111, 36),
    name: color("#86c5d8", 116, 36),
    success: color("#63c68f", 78, 32),
    warning: color("#e3b341", 179, 33),
    failure: color("#f08b80", 210, 31),
    violet: color("#c3a2ea", 183, 35),
    blue: color("#84b4f0", 111, 34),
    addedRow: color("#12301d", 22),
    addedWord: color("#1f5a35", 28),
    removedRow: color("#3a1715", 52),
    removedWord: color("#6b2520", 88),
    shade: color("#25282d", 236),
  },
  light: {
    muted: color("#60646c", 241),
    accent: color("#3358d4", 26, 34),
    name: color("#0b6478", 24, 34),
    success: color("#2b7a4b", 29, 32),
    warning: color("#8a5a00", 94, 35),
    failure: color("#b42318", 124, 31),
    violet: color("#6e3fb8", 55, 35),
    blue: color("#1f5fb0", 25, 34),
    addedRow: color("#e6f4ea", 194),
    addedWord: color("#b7e1c4", 151),
    removedRow: color("#fdecea", 224),
    removedWord: color("#f5c6c1", 217),
    shade: color("#eef0f2", 255),
  },
};

/** Returns the sequence that sets a text color; empty if the depth has none. */
export function foreground({ rgb, indexed, basic }: Color, depth: ColorDepth): string {
  if (depth === "16") return basic === undefined ? "" : `\x1b[${basic}m`;
  return `\x1b[38;${depth === "true" ? `2;${rgb.join(";")}` : `5;${indexed}`}m`;
}

/** Returns the sequence that sets a background; empty in 16 colors, which have none that is calm. */
export function background({ rgb, indexed }: Color, depth: ColorDepth): string {
  if (depth === "16") return "";
  return `\x1b[48;${depth === "true" ? `2;${rgb.join(";")}` : `5;${indexed}`}m`;
}

/** Returns a shade that stands out a little from the background of the terminal. */
export function shadeOf(behind: Rgb): Rgb {
  const isLight = isLightColor(behind);
  const [target, share] = isLight ? [0, 0.06] : [255, 0.1];
  return behind.map((part) => Math.round(part + (target - part) * share)) as unknown as Rgb;
}

export function isLightColor([red, green, blue]: Rgb): boolean {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
}
