import type { AppServerClient } from "../../client/index.js";
import type { Clock } from "../../lib/clock.js";
import type { ReviewTarget } from "../../protocol/review.js";
import type { TuiHost } from "../host.js";
import type { Terminal } from "../pi.js";
import type { ThreadRequest } from "../session/session.js";

/** Which conversation to show first. */
export type FirstThread =
  | { kind: "new" }
  | {
      kind: "resume" | "fork";
      /** Its id or name; without it the last one, or one the user chooses. */
      id?: string;
      isLast?: boolean;
      /** Of all folders, not of this one alone. */
      isEverywhere?: boolean;
      /** Sessions of `exec` and of servers are offered too. */
      hasAllSources?: boolean;
    };

/** Reports when the connection to the server is lost and restored; the terminal UI sets both. */
export interface Reconnection {
  onLost: () => void;
  onRestored: () => void;
}

/** What the terminal UI is started with. */
export interface AppOptions {
  server: AppServerClient;
  /** The server is connected to again when the connection is lost; absent: the program ends then. */
  reconnection?: Reconnection;
  terminal: Terminal;
  host: TuiHost;
  clock: Clock;
  /** What threads are begun with, as the command line says it. */
  request: ThreadRequest;
  first: FirstThread;
  /** The first message. */
  prompt?: string | undefined;
  /** Pictures that go with it. */
  images?: readonly string[];
  /** A review to begin with instead. */
  review?: ReviewTarget;
  /** Ends the program from outside. */
  signal: AbortSignal;
  /** The server is another program, maybe on another machine. */
  isRemote: boolean;
  /** The user said what may be done, so a new folder needs no question. */
  hasPermissions: boolean;
}
