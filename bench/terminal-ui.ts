import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, scriptedConfig } from "../src/model/scripted/index.js";
import { neutralEnv } from "./measure.js";
import { cpuMs, processesIn } from "./process-facts.js";
import type { PtyProgram } from "./pty-program.js";

/** End mark of a frame: a terminal shows nothing before it. */
export const frameEnd = "\x1b[?2026l";

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
    // These letters occur nowhere else, so each is seen as soon as its frame is drawn; the pause lets the
    // previous frame end.
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

/** A home and a folder to work in, and the environment that names them. */
export interface TerminalPlace {
  home: string;
  workspace: string;
  env: Record<string, string>;
}

/**
 * Creates a folder in which a terminal UI accepts a message without a dialog: neither trust of the folder
 * nor a switch to a newer model.
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
  const env = neutralEnv({ HOME: home, CODEX_HOME: home, TERM: "xterm-256color" });
  return { home, workspace, env };
}
