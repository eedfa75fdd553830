import { describe, expect, test } from "vitest";
import {
  type LiveCommand,
  type LiveOptions,
  startLiveCommand,
} from "../../src/exec/live-command.js";
import { prepare, prepareShell } from "./support/launch.js";

async function start(script: string, options: Partial<LiveOptions> = {}): Promise<LiveCommand> {
  const command = await startLiveCommand({
    launch: await prepareShell(script),
    capBytes: 1024,
    ...options,
  });
  if ("kind" in command) throw new Error(command.message);
  return command;
}

describe("a live command", () => {
  test("returns its exit code and both streams", async () => {
    const { done } = await start("printf out; printf err >&2; exit 3");

    expect(await done).toEqual({
      exitCode: 3,
      capReached: { stdout: false, stderr: false },
      stdout: "out",
      stderr: "err",
      timedOut: false,
      bySignal: false,
    });
  });

  test("reads what is written to it until its input is closed", async () => {
    const command = await start("cat", { input: true });

    expect(command.write(Buffer.from("one "))).toBe(true);
    expect(command.write(Buffer.from("two"))).toBe(true);
    command.closeInput();

    expect((await command.done).stdout).toBe("one two");
    expect(command.write(Buffer.from("late"))).toBe(false);
  });

  test("without input it cannot be written to, and without a terminal not resized", async () => {
    const command = await start("true");

    expect(command.write(Buffer.from("x"))).toBe(false);
    expect(command.resize({ columns: 10, rows: 10 })).toBe(false);
    await command.done;
  });

  test("streams its output up to the cap, and marks the last chunk", async () => {
    const chunks: [string, string, boolean][] = [];
    const { done } = await start("printf 0123456789", {
      capBytes: 4,
      onOutput: (stream, chunk, isLast) => chunks.push([stream, chunk.toString(), isLast]),
    });

    expect((await done).stdout).toBe("");
    expect(chunks).toEqual([["stdout", "0123", true]]);
  });

  test("retains its output up to the cap if no one streams it", async () => {
    const { done } = await start("printf 0123456789; printf abc >&2", { capBytes: 4 });

    expect(await done).toMatchObject({ stdout: "0123", stderr: "abc" });
  });

  test("ends with 124 after its time", async () => {
    const { done } = await start("sleep 60", { timeoutMs: 20 });

    expect(await done).toMatchObject({ exitCode: 124, timedOut: true, bySignal: false });
  });

  test("can be ended; its exit code is that of a kill", async () => {
    const command = await start("sleep 60");
    command.end();

    expect(await command.done).toMatchObject({
      exitCode: 128 + 9,
      bySignal: true,
      timedOut: false,
    });
  });

  test("a program that does not exist is a failure to start", async () => {
    const launch = await prepare(["/no/such/program"]);

    expect(await startLiveCommand({ launch, capBytes: 10 })).toMatchObject({
      kind: "start",
      message: "No such file or directory",
    });
  });
});
