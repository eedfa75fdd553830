import { errorText } from "../lib/errors.js";
import { randomUuid } from "../lib/ids.js";
import { endTree, markName, type ProcessTree, registerHostedCommand } from "../lib/process-tree.js";
import type { Launch } from "../sandbox/index.js";
import { type ChildExit, endWithUs, waitFor } from "./child.js";
import { refusedStart, type StartFailure } from "./failure.js";
import { unseenOutput } from "./unseen-output.js";

/** A program that runs commands in terminals of its own: an editor. */
export interface TerminalHost {
  /** Starts a command; resolves to undefined if it has no terminals after all, rejects if it refuses. */
  start(command: HostedCommand): Promise<HostedTerminal | undefined>;
}

/** A command for a terminal of a host. */
export interface HostedCommand extends Pick<Launch, "file" | "args" | "cwd" | "env"> {
  callId: string;
  /** Maximum output to retain; of more, the end. */
  outputBytes: number;
}

/** A terminal of a host with the command that runs in it. */
export interface HostedTerminal {
  /** Resolves when the command has ended, or the host is gone; never rejects. */
  exited: Promise<ChildExit>;
  /** Returns the retained output, or undefined if the host does not return it. */
  output(): Promise<{ text: string; isTruncated: boolean } | undefined>;
  kill(): Promise<void>;
  /** Frees the terminal; the host may continue to show its output. */
  release(): Promise<void>;
}

/** A command that runs in a terminal of a host. */
export interface HostedProcess {
  /** Resolves when it has ended and all its output was passed on; never rejects. */
  ended: Promise<ChildExit>;
  /** Ends it with everything it started. */
  end(): Promise<void>;
}

/** Host of a command, and the call for which it runs. */
export interface Hosting {
  host: TerminalHost;
  callId: string;
}

/** Returns true if a launch needs nothing that only this process can give it, such as a sandbox. */
export function isHostable({ sandbox, descriptors, settled, onBreach }: Launch): boolean {
  const isPlain = sandbox === "none" && descriptors.length === 0;
  return isPlain && settled === undefined && onBreach === undefined;
}

/**
 * Starts a command in a terminal of a host; undefined if the host has none.
 *
 * Its output is read a few times a second. A line that the command has overwritten is passed on again.
 */
export async function startHosted(
  launch: Launch,
  { host, callId }: Hosting,
  { graceMs, onData }: { graceMs: number; onData(chunk: Buffer): unknown },
): Promise<HostedProcess | StartFailure | undefined> {
  const mark = randomUuid();
  const { file, args, cwd } = launch;
  const env = { ...launch.env, ...terminalVariables, [markName]: mark };
  let terminal: HostedTerminal | undefined;
  try {
    terminal = await host.start({ callId, file, args, cwd, env, outputBytes });
  } catch (error) {
    return refusedStart(`The editor refused to run it in a terminal: ${errorText(error)}`);
  }
  if (terminal === undefined) return undefined;
  launch.spawned();
  registerHostedCommand();
  const tree: ProcessTree = { pid: 0, mark };
  const takeBack = endWithUs(tree);
  const running = terminal;
  const reader = new OutputReader(running, onData);
  let giveUp = () => {};
  const givenUp = new Promise<ChildExit>((resolve) => {
    giveUp = () => resolve({ code: null, signal: "SIGKILL" });
  });
  const ended = Promise.race([running.exited, givenUp]).then(async (exit) => {
    await reader.finish();
    await endTree(tree, graceMs);
    takeBack();
    void running.release();
    return exit;
  });
  return {
    ended,
    async end() {
      void running.kill();
      if ((await waitFor(running.exited, graceMs)) === "timeout") giveUp();
      await ended;
    },
  };
}

const outputBytes = 1024 * 1024;

/** Without these, programs that find a terminal wait for keys to be pressed. */
const terminalVariables = { PAGER: "cat", GIT_PAGER: "cat", GH_PAGER: "cat" };

/** Passes the output of a terminal on, a few times a second. */
class OutputReader {
  readonly #terminal: HostedTerminal;
  readonly #onData: (chunk: Buffer) => unknown;
  #seen = "";
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #hasEnded = false;

  constructor(terminal: HostedTerminal, onData: (chunk: Buffer) => unknown) {
    this.#terminal = terminal;
    this.#onData = onData;
    this.#schedule();
  }

  /** Reads the rest, and stops. */
  async finish(): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    await this.#last;
    await this.#read();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#last = this.#read().finally(() => {
        if (!this.#hasEnded) this.#schedule();
      });
    }, pollMs);
  }

  async #read(): Promise<void> {
    const output = await this.#terminal.output();
    if (output === undefined) return;
    const text = output.text.replaceAll("\r\n", "\n");
    const unseen = unseenOutput(this.#seen, text, output.isTruncated);
    this.#seen = text;
    if (unseen !== "") await this.#onData(Buffer.from(unseen));
  }
}

const pollMs = 250;
