import type { AppServerClient } from "../../client/index.js";
import type { Composer } from "../composer/composer.js";
import type { TuiHost } from "../host.js";
import type { UserKeymap } from "../keymap/keymap.js";
import type { StatusItemName } from "../lines/status-items.js";
import type { Session } from "../session/session.js";
import type { ThemeChoice } from "../theme/theme.js";
import type { Ui } from "../ui.js";

/** A list of items of the status line or the terminal title. */
export interface ItemList {
  get(): readonly StatusItemName[];
  set(items: readonly StatusItemName[]): void;
}

/** Context of a slash command. */
export interface CommandContext {
  ui: Ui;
  session: Session;
  server: AppServerClient;
  host: TuiHost;
  composer: Composer;
  /** All slash commands, for the help page. */
  commands: readonly SlashCommand[];
  chooseTheme(choice: ThemeChoice): void;
  /** Switches the vim keys of the composer on or off. */
  useVim(isOn: boolean): Promise<void>;
  /** The keys of the user, from `tui.keymap`. */
  keymap(): UserKeymap;
  /** The lists of items that the user can choose. */
  items: { statusLine: ItemList; title: ItemList };
  /** Shows the sign-in dialog after the user has logged out. */
  signIn(): Promise<void>;
  quit(): void;
}

/** A slash command. The completion menu, the help page and the docs are generated from these. */
export interface SlashCommand {
  name: string;
  /** Alternative names. */
  aliases?: readonly string[];
  summary: string;
  /** Usage of the arguments, such as `[FILE]`. */
  operands?: string;
  /** The command is available while a turn runs. */
  isAlwaysReady?: true;
  run(context: CommandContext, operands: string): Promise<void> | void;
}

/** Parts of the context that a notice needs. */
type NoticeContext = Pick<CommandContext, "session" | "ui">;

/** Prints a notice in the transcript. */
export function printNotice({ session, ui }: NoticeContext, text: string, hint?: string): void {
  session.conversation.transcript.notice({ level: "info", text, ...(hint ? { hint } : {}) });
  ui.screen.requestRender();
}

/** Prints a warning in the transcript. */
export function printWarning({ session, ui }: NoticeContext, text: string, hint: string): void {
  session.conversation.transcript.notice({ level: "warning", text, hint });
  ui.screen.requestRender();
}

/** Prints an error in the transcript. */
export function printError({ session, ui }: NoticeContext, what: string, error?: unknown): void {
  const why = error === undefined ? "" : `: ${error instanceof Error ? error.message : error}`;
  session.conversation.transcript.notice({ level: "error", text: `${what}${why}` });
  ui.screen.requestRender();
}

/** Binds both functions to a context. */
export function notices(place: NoticeContext): {
  printNotice(text: string): void;
  printError(text: string): void;
} {
  return {
    printNotice: (text) => printNotice(place, text),
    printError: (text) => printError(place, text),
  };
}
