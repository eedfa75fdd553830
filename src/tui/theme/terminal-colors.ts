import { type ColorDepth, colorDepth, type Rgb } from "./colors.js";
import {
  askBackground,
  chooseTheme,
  readBackground,
  type ThemeChoice,
  type ThemeSpec,
  themeOn,
} from "./theme.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The theme in use: the one that the user chose, or one that suits the terminal's background. */
export class TerminalColors {
  /** Called with the new theme. */
  onChange: (theme: ThemeSpec) => void = () => {};
  readonly #env: Environment;
  readonly #write: (text: string) => void;
  readonly #depth: ColorDepth;
  #choice: ThemeChoice = "auto";
  #behind: Rgb | undefined;

  constructor(env: Environment, write: (text: string) => void) {
    this.#env = env;
    this.#write = write;
    this.#depth = colorDepth(env);
  }

  get theme(): ThemeSpec {
    const name = chooseTheme(this.#choice, this.#env);
    const isMatched = this.#choice === "auto" && name !== "mono" && this.#behind !== undefined;
    const [depth, behind] = [this.#depth, this.#behind];
    return { name: isMatched && behind !== undefined ? themeOn(behind) : name, depth, behind };
  }

  choose(choice: ThemeChoice): void {
    this.#choice = choice;
    this.onChange(this.theme);
    // The terminal may have changed its colors since the start.
    if (choice === "auto") this.#write(askBackground);
  }

  /** Handles the terminal's report of its background; returns whether the input was one. */
  follow(input: string): boolean {
    const behind = readBackground(input);
    if (behind === undefined) return false;
    this.#behind = behind;
    this.onChange(this.theme);
    return true;
  }
}
