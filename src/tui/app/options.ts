import type { AppServerClient } from "../../client/index.js";
import type { Clock } from "../../lib/clock.js";
import type { ReviewTarget } from "../../protocol/sqeq/events/review.js";
import type { TuiHost } from "../host.js";
import type { Terminal } from "../pi.js";
import type { ThreadRequest } from "../session/session.js";

/** The thread to open first. */
export type FirstThread =
  | { kind: "new" }
  | {
      kind: "resume" | "fork";
      /** Id or name; if omitted, the most recent thread or one that the user picks. */
      id?: string;
      isLast?: boolean;
      /** Search all folders instead of the current one. */
      isEverywhere?: boolean;
      /** Include sessions of `exec` and of app-server clients. */
      hasAllSources?: boolean;
    };

/** Reports when the connection to the server is lost and restored; the terminal UI sets both. */
export interface Reconnection {
  onLost: () => void;
  onRestored: () => void;
}

/** Options for {@link runTui}. */
export interface AppOptions {
  server: AppServerClient;
  /** Set if the client reconnects by itself; if absent, a lost connection ends the program. */
  reconnection?: Reconnection;
  terminal: Terminal;
  host: TuiHost;
  clock: Clock;
  /** Runs after the first frame, and before any request; the program ends with its error. */
  check?: () => Promise<void>;
  /** Parameters for `thread/start`, from the command line. */
  request: ThreadRequest;
  first: FirstThread;
  /** The first message. */
  prompt?: string | undefined;
  /** Paths of images to attach to it. */
  images?: readonly string[];
  /** Start this review instead of sending a message. */
  review?: ReviewTarget;
  /** Aborts to end the program. */
  signal: AbortSignal;
  /** The server is a separate process, possibly on another machine. */
  isRemote: boolean;
  /** Permissions were set on the command line, so the trust dialog is skipped. */
  hasPermissions: boolean;
}
