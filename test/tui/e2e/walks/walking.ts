import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { TestTerminal } from "../../../support/terminal.js";

/** Sizes that every flow is walked at. */
export const sizes = [
  [120, 40],
  [80, 24],
  [60, 20],
] as const;

/** Waits until the composer is empty and no dialog covers it. */
export function untilIdle(terminal: TestTerminal): Promise<string> {
  return terminal.until((screen) => screen.includes("› Describe a task") && !isBusy(screen));
}

function isBusy(screen: string): boolean {
  return /esc to interrupt|esc cancel|Waiting for/.test(screen);
}

/** Types a message or a command, and sends it. A space closes the menu of commands. */
export async function send(terminal: TestTerminal, text: string): Promise<void> {
  await terminal.type(text.startsWith("/") ? `${text} ` : text);
  await terminal.keys("Enter");
}

/** Sends a command, waits for what it prints, and for the composer. */
export async function run(terminal: TestTerminal, command: string, printed: string | RegExp) {
  await send(terminal, command);
  await terminal.until(printed);
  await untilIdle(terminal);
}

/**
 * Opens a dialog, checks that it is on the screen once and whole, and leaves it with Escape, Ctrl+C or a
 * key of its own.
 */
export async function peek(
  terminal: TestTerminal,
  command: string,
  title: string,
  leave = "Escape",
): Promise<void> {
  await send(terminal, command);
  const screen = await terminal.until((text) => text.includes(title) && /esc/.test(text));
  expect(screen.split(title), `${command}: ${title}`).toHaveLength(2);
  await terminal.keys(leave);
  await untilGone(terminal, title);
  await untilIdle(terminal);
}

/** Opens a page of the full screen and closes it. */
export async function page(terminal: TestTerminal, command: string, title: string): Promise<void> {
  await send(terminal, command);
  await terminal.until((text) => text.startsWith(` ${title}`) && /q to close/.test(text));
  await terminal.keys("q");
  await untilIdle(terminal);
}

/** Waits until a text is no longer on the screen. */
export function untilGone(terminal: TestTerminal, text: string): Promise<string> {
  return terminal.until((screen) => !screen.includes(text));
}

/** Checks that the scrollback has each text once, and nothing of a dialog or of a running item. */
export async function expectTidy(
  terminal: TestTerminal,
  once: readonly (string | RegExp)[],
): Promise<void> {
  await untilIdle(terminal);
  const history = await terminal.history();
  for (const text of once) expect(history.split(text), `${text}\n${history}`).toHaveLength(2);
  expect(history.split("› Describe a task"), history).toHaveLength(2);
  expect(history).not.toMatch(/esc cancel|esc to interrupt|↑↓ move|q to close|⠋|⠙|⠹|⠸/);
}

/** Quits, and checks that nothing that runs or asks is left on the screen. */
export async function quit(terminal: TestTerminal): Promise<void> {
  await terminal.keys("C-d");
  await terminal.until("ended with 0");
  const history = await terminal.history();
  expect(history).not.toMatch(/Describe a task|esc cancel|esc to interrupt|\(\d+s · /);
  expect(history.trimEnd()).toMatch(/ended with 0$/);
}

/** Makes the workspace a git repository with a commit of all files. */
export async function makeRepository({ workspace }: TestTerminal): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], {
      cwd: workspace,
    });
  await git("init", "-q", "-b", "trunk");
  await writeFile(join(workspace, "door.txt"), "red\n");
  await git("add", ".");
  await git("commit", "-qm", "Add the door");
}
