import { randomBytes } from "../lib/ids.js";
import { failureMessage, inputClosed, noTerminal } from "./failure.js";
import type { SessionOutput } from "./format-output.js";
import { Hold } from "./hold.js";
import type { TerminalSize } from "./pty.js";
import { ExecSession, type SessionOptions } from "./session.js";

/** Limits for the number of sessions and the waiting time of calls. */
export interface SessionLimits {
  /** Past so many the one not used for longest is ended. */
  sessions: number;
  /** Number of sessions from which the model gets a warning. */
  warnFrom: number;
  /** Waits are made to lie between these. */
  shortestYieldMs: number;
  longestYieldMs: number;
  /** A call that only looks waits at least so long. */
  shortestLookMs: number;
  /** Maximum unread output per session: its start and its end. */
  bufferBytes: number;
  graceMs: number;
}

/** Default limits. */
const usualSessionLimits: SessionLimits = {
  sessions: 64,
  warnFrom: 60,
  shortestYieldMs: 250,
  longestYieldMs: 30_000,
  shortestLookMs: 5_000,
  bufferBytes: 1024 * 1024,
  graceMs: 2_000,
};

/** Result of a call, with notices for the model. */
export interface SessionAnswer extends SessionOutput {
  notices: string[];
}

/** Reason why a call failed; the message is for the model. */
export interface SessionProblem {
  problem: "not-started" | "unknown-session" | "input-closed";
  message: string;
}

/** A process that is running. */
export type RunningSession = Pick<ExecSession, "id" | "callId" | "command" | "cwd" | "startedAtMs">;

/** Processes that keep running between calls of the model. Close with `endAll`. */
export class ExecSessions {
  /** While it is closed, calls wait for their processes beyond their time. */
  readonly hold = new Hold();
  readonly #limits: Readonly<SessionLimits>;
  /** The one used last is the last. */
  readonly #sessions = new Map<number, ExecSession>();
  #nextId: number;

  constructor(limits?: Partial<SessionLimits>, firstId = 1000) {
    this.#limits = limits === undefined ? usualSessionLimits : { ...usualSessionLimits, ...limits };
    this.#nextId = firstId;
  }

  /** Number of processes. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Reserves the id of a process, so that events can contain it before the start. */
  reserveId(): number {
    return this.#nextId++;
  }

  /** Starts a process and waits a while. `signal` ends the process, not just the waiting. */
  async start(
    options: SessionOptions & { yieldMs?: number; id?: number },
    signal?: AbortSignal,
  ): Promise<SessionAnswer | SessionProblem> {
    const began = performance.now();
    const { sessions } = this.#limits;
    await this.#makeRoom(sessions - 1);
    const session = await ExecSession.start(options.id ?? this.reserveId(), options, this.#limits);
    if ("kind" in session) return { problem: "not-started", message: failureMessage(session) };
    this.#sessions.set(session.id, session);
    // Others may have been started at the same time.
    await this.#makeRoom(sessions);
    const notices = [
      ...(session.terminalAsWanted ? [] : [noTerminal]),
      ...(this.size < this.#limits.warnFrom ? [] : [tooMany(this.size, sessions)]),
    ];
    const yieldMs = this.#clamp(options.yieldMs ?? usualYieldMs, this.#limits.shortestYieldMs);
    return { ...(await this.#collect(session, began, yieldMs, signal)), notices };
  }

  /** Writes to a process, or only polls it if the text is empty, and waits for output. */
  async write(
    sessionId: number,
    text: string,
    options: { yieldMs?: number } = {},
    signal?: AbortSignal,
  ): Promise<SessionAnswer | SessionProblem> {
    const began = performance.now();
    const session = this.#sessions.get(sessionId);
    if (session === undefined) {
      return { problem: "unknown-session", message: `Unknown process id ${sessionId}` };
    }
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    if (text !== "" && session.exitCode === undefined) {
      if (!session.takesInput) return { problem: "input-closed", message: inputClosed };
      if (!session.write(text)) {
        return { problem: "input-closed", message: "failed to write to stdin" };
      }
    }
    const { shortestYieldMs, shortestLookMs } = this.#limits;
    const yieldMs = this.#clamp(
      options.yieldMs ?? shortestYieldMs,
      text === "" ? shortestLookMs : shortestYieldMs,
    );
    return { ...(await this.#collect(session, began, yieldMs, signal)), notices: [] };
  }

  /** Returns the call that started a process, if known. */
  callOf(sessionId: number): string | undefined {
    return this.#sessions.get(sessionId)?.callId;
  }

  /** Returns whether a session was started in a turn that may change nothing. */
  isConfined(sessionId: number): boolean {
    return this.#sessions.get(sessionId)?.isConfined ?? false;
  }

  /** Changes the size of a terminal; false when there is no such session. */
  resize(sessionId: number, size: TerminalSize): boolean {
    this.#sessions.get(sessionId)?.resize(size);
    return this.#sessions.has(sessionId);
  }

  /** Lists the processes that are running, oldest first. */
  list(): RunningSession[] {
    const running = [...this.#sessions.values()].filter(({ exitCode }) => exitCode === undefined);
    return running
      .map(({ id, callId, command, cwd, startedAtMs }) => ({
        id,
        callId,
        command,
        cwd,
        startedAtMs,
      }))
      .sort((one, other) => one.id - other.id);
  }

  /**
   * Ends one process with everything it started; false when there is no such session.
   *
   * `exitCode` is reported instead of its own.
   */
  async end(sessionId: number, exitCode?: number): Promise<boolean> {
    const session = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    await session?.end(exitCode);
    return session !== undefined;
  }

  /** Ends all of them, as the end of a conversation does. */
  async endAll(exitCode?: number): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.end(id, exitCode)));
  }

  async #collect(
    session: ExecSession,
    began: number,
    yieldMs: number,
    signal: AbortSignal | undefined,
  ): Promise<SessionOutput> {
    const first = await this.hold.waitFor(session.ended, yieldMs, signal);
    if (first === "abort") await session.end();
    const { exitCode } = session;
    if (exitCode !== undefined) this.#sessions.delete(session.id);
    return {
      chunkId: randomBytes(3).toString("hex"),
      wallTimeMs: performance.now() - began,
      ...(exitCode === undefined ? { sessionId: session.id } : { exitCode }),
      text: session.takeText(),
    };
  }

  /** Ends processes until there are at most so many: ended ones first, then the one not used for longest. */
  async #makeRoom(most: number): Promise<void> {
    while (this.size > most) {
      const ended = [...this.#sessions.values()].find(({ exitCode }) => exitCode !== undefined);
      const [oldest] = this.#sessions.keys();
      await this.end(ended?.id ?? oldest ?? 0);
    }
  }

  #clamp(yieldMs: number, shortest: number): number {
    return Math.min(Math.max(yieldMs, shortest), this.#limits.longestYieldMs);
  }
}

const usualYieldMs = 10_000;

function tooMany(count: number, most: number): string {
  return `${count} processes are open. Past ${most} the one not used for longest is ended: end those you no longer need.`;
}
