import type { AppServerClient } from "../../client/index.js";
import type { Composer } from "../composer/composer.js";
import type { TuiHost } from "../host.js";
import type { Session } from "../session/session.js";
import type { ThemeChoice } from "../theme/choose.js";
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
