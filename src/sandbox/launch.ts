/** What a command is confined by. */
export type SandboxKind = "none" | "bubblewrap" | "seatbelt";

/** How to start one command. Whoever starts it calls `spawned` and then, in any case, `ended`. */
export interface Launch {
  sandbox: SandboxKind;
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of what is started. */
  env: Readonly<Record<string, string>>;
  /** Open descriptors that the process gets as 3, 4 and so on. */
  descriptors: readonly number[];
  /** Whoever gives it a terminal must let it ignore that terminal's interrupt, which is for the command. */
  shielded: boolean;
  /** What the user should know; told once, not for every command. */
  warnings: readonly string[];
  /** The process exists or never will: closes what only it needs. */
  spawned(): void;
  /**
   * Watches what protects files from the command. If that is lost, calls back: the command must be killed
   * at once, and the report says why.
   */
  onBreach?(kill: () => void): void;
  /** The process is gone, or was never started: says whether the command ran, and cleans up. */
  ended(stderr: string): Promise<LaunchReport>;
}

/** Whether a command ran at all. */
export type LaunchReport =
  | { ran: true }
  /** The program could not be started; `reason` is the system's text. */
  | { ran: false; cause: "command"; reason: string }
  /** The sandbox could not be set up. */
  | { ran: false; cause: "sandbox"; reason: string }
  /** It was killed, since the sandbox could protect a file no longer; `reason` is for the user and the model. */
  | { ran: false; cause: "breach"; reason: string };
