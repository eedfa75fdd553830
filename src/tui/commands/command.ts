import type { AppServerClient } from "../../client/index.js";
import type { Composer } from "../composer/composer.js";
import type { TuiHost } from "../host.js";
import type { Session } from "../session/session.js";
import type { ThemeChoice } from "../theme/theme.js";
import type { Ui } from "../ui.js";

/** What a command works with. */
export interface CommandContext {
  ui: Ui;
  session: Session;
  server: AppServerClient;
  host: TuiHost;
  composer: Composer;
  /** Every command there is, for the help page. */
  commands: readonly SlashCommand[];
  chooseTheme(choice: ThemeChoice): void;
  /** Signs in anew after the user has signed out. */
  signIn(): Promise<void>;
  quit(): void;
}

/** A command of the composer: the menu, the help page and the docs are made from these. */
export interface SlashCommand {
  name: string;
  /** Other names it answers to. */
  aliases?: readonly string[];
  summary: string;
  /** What may follow the name. */
  operands?: string;
  /** It can be used while the agent works. */
  isAlwaysReady?: true;
  run(context: CommandContext, operands: string): Promise<void> | void;
}

/** Where something can be said. */
type Place = Pick<CommandContext, "session" | "ui">;

/** Says something in the conversation. */
export function say({ session, ui }: Place, text: string, hint?: string): void {
  session.conversation.transcript.notice({ level: "info", text, ...(hint ? { hint } : {}) });
  ui.screen.requestRender();
}

/** Says that something did not work, and why. */
export function complain({ session, ui }: Place, what: string, error?: unknown): void {
  const why = error === undefined ? "" : `: ${error instanceof Error ? error.message : error}`;
  session.conversation.transcript.notice({ level: "error", text: `${what}${why}` });
  ui.screen.requestRender();
}

/** Both, for a place that needs nothing else. */
export function notices(place: Place): { say(text: string): void; complain(text: string): void } {
  return { say: (text) => say(place, text), complain: (text) => complain(place, text) };
}
