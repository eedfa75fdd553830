import type { ChildProcess } from "node:child_process";
import type { CommandToConfine } from "./policy.js";

/** Mechanism that confines a command. */
export type SandboxKind = "none" | "bubblewrap" | "seatbelt";

/** Instructions to start one command. The caller must call `spawned`, and then `ended` in any case. */
export interface Launch {
  sandbox: SandboxKind;
  file: string;
  args: readonly string[];
  cwd: string;
  /** Complete environment of the process. */
  env: Readonly<Record<string, string>>;
  /** Open descriptors to pass as 3, 4 and so on; `ipc` is a channel of Node to this process. */
  descriptors: readonly LaunchDescriptor[];
  /**
   * If true, a caller that attaches a terminal must start the process ignoring SIGINT, which is
   * meant for the command.
   */
  shielded: boolean;
  /** Warnings for the user; shown once, not for every command. */
  warnings: readonly string[];
  /** Call it once the process exists, or has failed to start: closes the descriptors that only it needs. */
  spawned(child?: ChildProcess): void;
  /**
   * Watches the mounts that protect files from the command. If one is lost, calls `kill`; the
   * report then contains the reason.
   */
  onBreach?(kill: () => void): void;
  /**
   * Present if output must wait: resolves once everything that happened before is known, to false
   * if the command may have read a denied file. Output read before the call is discarded then.
   */
  settled?(): Promise<boolean>;
  /**
   * Call it once the process has exited, or was never started: cleans up and reports whether the
   * command ran.
   */
  ended(stderr: string): Promise<LaunchReport>;
}

/** A descriptor of this process, or a channel that Node opens. */
export type LaunchDescriptor = number | "ipc";

/** Reports whether a command ran. */
export type LaunchReport =
  | { ran: true }
  /** The program could not be started; `reason` is the system's text. */
  | { ran: false; cause: "command"; reason: string }
  /** The sandbox could not be set up. */
  | { ran: false; cause: "sandbox"; reason: string }
  /**
   * It was killed because the sandbox could no longer protect a file; `reason` is for the user and
   * the model.
   */
  | { ran: false; cause: "breach"; reason: string };

/** Returns the launch of a command that nothing confines. */
export function plainLaunch({ argv, cwd, workdir, env }: Omit<CommandToConfine, "policy">): Launch {
  const [file = "", ...args] = argv;
  return {
    sandbox: "none",
    file,
    args,
    cwd: workdir ?? cwd,
    env,
    descriptors: [],
    shielded: false,
    warnings: [],
    spawned() {},
    ended: async () => ({ ran: true }),
  };
}
