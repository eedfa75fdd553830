import type { Highlight, Lex } from "./markdown/libraries.js";
import type { Theme } from "./theme/theme.js";

/** Everything that the rendering of a cell depends on besides the cell. */
export interface View {
  width: number;
  theme: Theme;
  /** Folder that paths are shown relative to. */
  cwd: string;
  /** Current time in milliseconds, for the duration of running items. */
  now: number;
  /** Parses Markdown; until it is loaded, text is shown as is. */
  lex?: Lex;
  /** Highlights source code; absent until it is loaded, and in the mono theme. */
  highlight?: Highlight;
  /** Nothing moves (`tui.animations = false`). */
  isStill?: boolean;
  /** Show everything, nothing folded. */
  isFull?: boolean;
}
