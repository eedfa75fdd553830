/** How a terminal shows images. */
export type ImageProtocol = "kitty" | "iterm2" | "sixel";

/** Size of a cell in pixels. */
export interface CellSize {
  width: number;
  height: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Asks the terminal for its abilities (DA1), and for the size of a cell in pixels. */
const askAbilities = "\x1b[c\x1b[16t";

/** Finds out whether and how the terminal shows images. */
export class TerminalImages {
  protocol: ImageProtocol | undefined;
  cell: CellSize = { width: 9, height: 18 };
  readonly #env: Environment;
  readonly #write: (text: string) => void;

  constructor(env: Environment, write: (text: string) => void) {
    this.#env = env;
    this.#write = write;
    this.protocol = knownProtocol(env);
  }

  /** Asks the terminal; `follow` gets the answers. */
  ask(): void {
    if (!isPlain(this.#env)) this.#write(askAbilities);
  }

  /** Handles an answer of the terminal; returns whether the input was one. */
  follow(input: string): boolean {
    const abilities = /^\x1b\[\?([\d;]*)c$/.exec(input)?.[1];
    if (abilities !== undefined) {
      // 4: sixel graphics.
      if (abilities.split(";").slice(1).includes("4")) this.protocol ??= "sixel";
      return true;
    }
    const [, height, width] = /^\x1b\[6;(\d+);(\d+)t$/.exec(input) ?? [];
    if (height === undefined || width === undefined) return false;
    const cell = { width: Number(width), height: Number(height) };
    if (cell.width > 0 && cell.height > 0) this.cell = cell;
    return true;
  }
}

function isPlain({ TERM, NO_COLOR }: Environment): boolean {
  return TERM === "dumb" || Boolean(NO_COLOR);
}

/** Returns the protocol of a terminal that names itself in the environment. */
function knownProtocol(env: Environment): ImageProtocol | undefined {
  const { TERM = "", TERM_PROGRAM = "", TMUX, STY } = env;
  // A multiplexer does not pass images on; one that does reports sixel itself.
  if (isPlain(env) || TMUX || STY || /^(?:tmux|screen)/.test(TERM)) return undefined;
  if (env.KITTY_WINDOW_ID || TERM === "xterm-kitty") return "kitty";
  if (TERM_PROGRAM === "ghostty" || TERM === "xterm-ghostty") return "kitty";
  return /^(?:iTerm\.app|WezTerm)$/.test(TERM_PROGRAM) ? "iterm2" : undefined;
}
