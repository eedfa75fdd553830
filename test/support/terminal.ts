import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
  scriptedConfig,
} from "../../src/model/scripted/index.js";
import { quireCommand } from "./bin.js";
import { quoteWord } from "./quote-word.js";

const run = promisify(execFile);
/** Options for starting the program in the terminal. */
export interface TerminalOptions {
  args?: string[];
  /** Path of the program, if not the built one of this tree. */
  program?: string;
  model?: Script;
  /** Inserted before the tables of config.toml. */
  config?: string;
  /** Replaces config.toml. */
  wholeConfig?: string;
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  /** Files to create in the workspace. */
  files?: Record<string, string>;
  /** The folder is not trusted yet, so the program asks about it. */
  isNewFolder?: boolean;
  /** Start nothing yet; `restart` starts the program. */
  isIdle?: boolean;
  /** Type the command line into a shell with job control. */
  isInShell?: boolean;
}

/** A text to wait for. */
type Fits = string | RegExp | ((screen: string) => boolean | Promise<boolean>);

/** The built program in a real terminal (tmux, on a separate socket). */
export interface TestTerminal extends AsyncDisposable {
  home: string;
  workspace: string;
  model: ScriptedServer;
  /** Sends keys by their tmux names; use `type` for text. */
  keys(...names: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Text of the screen, without the empty rows below. */
  screen(): Promise<string>;
  /** Text of the scrollback, from the start. */
  history(): Promise<string>;
  /** Returns the bytes written to the terminal. */
  bytes(): Promise<string>;
  /** Waits until the screen matches, and returns it. */
  until(fits: Fits): Promise<string>;
  /** Changes the size while the program is stopped, and continues it once the system knows the size. */
  resize(columns: number, rows: number): Promise<void>;
  /** Restarts the program in the same folder and home. */
  restart(...args: string[]): Promise<void>;
  /** Runs a tmux command. */
  tmux(...args: string[]): Promise<string>;
}

/** Returns whether tmux is installed. */
export async function hasTmux(): Promise<boolean> {
  return run("tmux", ["-V"]).then(
    () => true,
    () => false,
  );
}

/** Starts the built program in a terminal; dispose it with `await using`. */
export async function startTerminal(options: TerminalOptions = {}): Promise<TestTerminal> {
  const { args = [], columns = 80, rows = 24, env = {} } = options;
  const root = await mkdtemp(join(tmpdir(), "quire-tui-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(workspace, name), text);
  }
  const model = await listenScriptedModel({ script: options.model ?? [] });
  const config = options.wholeConfig ?? configText(model.baseUrl, workspace, options);
  await writeFile(join(home, "config.toml"), config);
  const socket = `quire-${randomUUID()}`;
  const tmux = async (...words: string[]) => (await run("tmux", ["-L", socket, ...words])).stdout;
  const variables = { HOME: root, CODEX_HOME: home, TERM: "tmux-256color", ...env };
  const program = quireCommand([], options.program).flat();
  const words = [
    "env",
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    ...program,
  ];
  // If the test run dies, it ends on its own.
  const watch = `(sleep 120; tmux -L ${socket} kill-server) >/dev/null 2>&1 &`;
  const errors = quoteWord(join(root, "stderr"));
  // The remaining shell shows the exit of the program, and the text it left on the screen.
  const commandOf = (own: string[]) =>
    `${watch} ${[...words, ...own].map(quoteWord).join(" ")} 2>${errors}; echo "ended with $?"; exec sleep 1000`;
  const size = ["-x", String(columns), "-y", String(rows)];
  const shell = `${watch} exec env PS1='shell$ ' bash --norc --noprofile -i`;
  const command = options.isInShell
    ? shell
    : options.isIdle
      ? `${watch} sleep 1000`
      : commandOf(args);
  const output = join(root, "output");
  await writeFile(output, "");
  await tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", workspace, command);
  await tmux("pipe-pane", `cat >> ${quoteWord(output)}`);
  await tmux("set-option", "-g", "focus-events", "on");
  if (options.isInShell) {
    const line = [...words, ...args].map(quoteWord).join(" ");
    await tmux("send-keys", "-l", `clear; ${line} 2>${errors}`);
    await tmux("send-keys", "Enter");
  }
  const screen = async () => (await tmux("capture-pane", "-p")).trimEnd();
  return {
    home,
    workspace,
    model,
    keys: async (...names) => void (await tmux("send-keys", ...names)),
    type: async (text) => void (await tmux("send-keys", "-l", text)),
    screen,
    history: async () => (await tmux("capture-pane", "-p", "-S", "-")).trimEnd(),
    bytes: () => readFile(output, "utf8"),
    until: (fits) => untilFits(screen, fits),
    resize: async (width, height) => {
      // What is written for the old size and drawn at the new one leaves ghosts in any program that keeps the
      // scrollback, and tmux tells programs of at most four sizes in a second.
      const place = await tmux("display-message", "-p", "#{pane_pid} #{pane_tty}");
      const [shell = "", tty = ""] = place.trim().split(" ");
      const pid = await childOf(shell, program.join(" "));
      process.kill(pid, "SIGSTOP");
      try {
        await untilStill(screen);
        await tmux("resize-window", "-x", String(width), "-y", String(height));
        const size = async () => (await run("stty", ["-F", tty, "size"])).stdout.trim();
        await untilFits(size, `${height} ${width}`);
      } finally {
        process.kill(pid, "SIGCONT");
      }
    },
    restart: async (...own) => {
      await tmux("respawn-pane", "-k", "-c", workspace, commandOf(own));
    },
    tmux,
    async [Symbol.asyncDispose]() {
      await tmux("kill-server").catch(() => undefined);
      await model.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Time limit for a text to appear. */
const patienceMs = 20_000;

async function untilFits(screen: () => Promise<string>, fits: Fits): Promise<string> {
  const isFit =
    typeof fits === "function"
      ? fits
      : (text: string) => (typeof fits === "string" ? text.includes(fits) : fits.test(text));
  const end = Date.now() + patienceMs;
  for (;;) {
    const text = await screen();
    if (await isFit(text)) return text;
    if (Date.now() > end) throw new Error(`Not on the screen: ${String(fits)}\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Waits until everything that was written is drawn. */
async function untilStill(screen: () => Promise<string>): Promise<void> {
  let last: string | undefined;
  await untilFits(screen, (text) => {
    const isSame = text === last;
    last = text;
    return isSame;
  });
}

/** Finds the child of a process whose command line starts with `command`. */
async function childOf(parent: string, command: string): Promise<number> {
  const { stdout } = await run("ps", ["-o", "pid=,args=", "--ppid", parent]);
  const lines = stdout.split("\n").map((line) => line.trim());
  const found = lines.find((line) => line.replace(/^\d+ +/, "").startsWith(command));
  if (found === undefined) throw new Error(`Expected ${command} to run (got ${stdout})`);
  return Number.parseInt(found, 10);
}

function configText(baseUrl: string, workspace: string, options: TerminalOptions): string {
  const trusted = options.isNewFolder
    ? ""
    : `[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`;
  const config = scriptedConfig({
    baseUrl,
    retries: 0,
    ...(options.config === undefined ? {} : { settings: options.config }),
  });
  return `${config}${trusted}`;
}
