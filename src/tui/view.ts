import type { Highlight, Lex } from "./markdown/libraries.js";
import type { Theme } from "./theme/theme.js";

/** What a cell is drawn for: the only things its lines may depend on besides itself. */
export interface View {
  width: number;
  theme: Theme;
  /** The folder that paths are shown relative to. */
  cwd: string;
  /** Milliseconds since 1970, for what still runs. */
  now: number;
  /** Reads markdown; until it is loaded, text is shown as it is written. */
  lex?: Lex;
  /** Colours source code; absent until it is loaded, and where colour has no use. */
  highlight?: Highlight;
  /** Show all of it, also what is folded in the conversation. */
  isFull?: boolean;
}
