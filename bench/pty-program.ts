import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, scriptedConfig } from "../src/model/scripted/index.js";
import { LeftOut } from "./figure.js";
import { cpuMs, processesIn } from "./process-facts.js";

/** A program on a pseudo-terminal of 100 by 40. */
export interface PtyProgram {
  pid: number;
  write(text: string): void;
  /** Waits until it has written this since something was last written to it. */
  until(text: string): Promise<void>;
  close(): void;
}

/** What a frame ends with: a terminal shows none before. */
export const frameEnd = "\x1b[?2026l";

/** Starts a program on a terminal, which answers what programs ask of one. */
export async function openPty(
  [file = "", ...args]: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<PtyProgram> {
  const pty = await import("@lydell/node-pty").catch(() => {
    throw new LeftOut("@lydell/node-pty is not installed");
  });
  const child = pty.spawn(file, args, { cols: 100, rows: 40, cwd, env });
  let seen = "";
  let wake = () => {};
  child.onData((data: string) => {
    seen = (seen + data).slice(-20_000);
    for (const [question, answer] of answers) if (data.includes(question)) child.write(answer);
    wake();
  });
  return {
    pid: child.pid,
    write(text) {
      seen = "";
      child.write(text);
    },
    async until(text) {
      const end = performance.now() + longestWaitMs;
      while (!seen.includes(text)) {
        const left = end - performance.now();
        if (left <= 0) throw new Error(`${JSON.stringify(text)} did not come to the terminal`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, left).unref();
        });
      }
    },
    close: () => child.kill("SIGKILL"),
  };
}

/** A program that shows nothing by then shows nothing. */
const longestWaitMs = 20_000;

/** Where the cursor is, what the terminal can do, how it sends keys, and which colours it has. */
const answers: readonly (readonly [string, string])[] = [
  ["\x1b[6n", "\x1b[1;1R"],
  ["\x1b[c", "\x1b[?62;c"],
  ["\x1b[?u", "\x1b[?0u"],
  ["\x1b]10;?", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\"],
  ["\x1b]11;?", "\x1b]11;rgb:0000/0000/0000\x1b\\"],
];

/** Milliseconds from the start of a program until it has written something. */
export async function startTime(open: () => Promise<PtyProgram>, text: string): Promise<number> {
  const begun = performance.now();
  const program = await open();
  await program.until(text);
  const time = performance.now() - begun;
  program.close();
  return time;
}

/** Milliseconds from each of some keys until it is on the screen. */
export async function keyTimes(program: PtyProgram, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    // Letters that stand nowhere else, so that each is seen when its frame is; the pause ends that.
    const letter = String.fromCharCode(0x100 + index);
    await pause(40);
    const start = performance.now();
    program.write(letter);
    await program.until(letter);
    times.push(performance.now() - start);
  }
  return times;
}

/** Words and code in pieces of six letters, a thousand in a second. */
export function streamOf(seconds: number): Answer {
  const paragraph = `${"word ".repeat(60)}\n\n`;
  const code = `\`\`\`ts\n${"const a = 1;\n".repeat(20)}\`\`\`\n\n`;
  const message = `${paragraph.repeat(6)}${code}`.repeat(seconds * 3);
  return [{ message, deltas: 6, pause_ms: 1 }];
}

/** Milliseconds of CPU, of all that works in the home, in a second of an answer that streams. */
export async function streamCost(
  terminal: PtyProgram,
  { home }: TerminalPlace,
  seconds: number,
): Promise<number> {
  // Not in one go: letters that come together with the key that sends them count as pasted.
  for (const text of ["\x03", "go", "\r"]) {
    terminal.write(text);
    await pause(500);
  }
  await terminal.until("word");
  const cpu = () => processesIn(home).reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = cpu();
  await pause(seconds * 1000);
  return (cpu() - before) / seconds;
}

/** A home and a folder to work in. */
export interface TerminalPlace {
  home: string;
  workspace: string;
}

/**
 * Makes a place in which a terminal UI asks nothing before it takes a message: neither whether it may
 * work there nor, over what is being written, whether to change to a newer model.
 */
export function makeTerminalPlace(
  root: string,
  model: { model?: string; baseUrl: string },
): TerminalPlace {
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  for (const path of [home, workspace]) mkdirSync(path, { recursive: true });
  const settings = 'approval_policy = "never"\nsandbox_mode = "read-only"';
  const trust = `[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`;
  const offer = `[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`;
  const config = [scriptedConfig({ ...model, settings }), trust, offer].join("\n");
  writeFileSync(join(home, "config.toml"), config);
  return { home, workspace };
}
