import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import {
  type PromptIo,
  readPrompt,
  readPromptWithInput,
} from "../../../src/cli/exec/read-prompt.js";

/** Streams with a terminal that has this text, which then ends. */
function terminal(text?: string): { io: PromptIo; stderr: () => string; stop: AbortController } {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  if (text !== undefined) stdin.end(text);
  let written = "";
  const stop = new AbortController();
  const io = {
    stdin,
    stderr: { write: (part: string) => (written += part) },
    signal: stop.signal,
  } as unknown as PromptIo;
  return { io, stderr: () => written, stop };
}

describe("a prompt", () => {
  test("that is typed is taken as it is", async () => {
    const { io, stderr } = terminal("not read");

    expect(await readPrompt("do it", io)).toBe("do it");
    expect(await readPromptWithInput("do it", io)).toBe("do it");
    expect(stderr()).toBe("");
  });

  test("without text at a terminal is an error", async () => {
    const { io } = terminal();
    const message =
      "No prompt provided. Either specify one as an argument or pipe the prompt into stdin.";

    await expect(readPrompt(undefined, io)).rejects.toThrow(message);
    await expect(readPromptWithInput(undefined, io)).rejects.toThrow(message);
  });

  test("of `-` is read from the terminal to its end", async () => {
    const { io, stderr } = terminal("line one\nline two ä\n");

    expect(await readPrompt("-", io)).toBe("line one\nline two ä\n");
    expect(stderr()).toBe("");
  });

  test.each(["", " \n\t"])("of `-` that is %j is an error", async (text) => {
    const { io } = terminal(text);

    await expect(readPromptWithInput("-", io)).rejects.toThrow("No prompt provided via stdin.");
  });

  test("is given up when the program is interrupted", async () => {
    const { io, stop } = terminal();
    (io.stdin as unknown as PassThrough).write("half");
    const reading = readPrompt("-", io);
    stop.abort(new Error("interrupted"));

    await expect(reading).rejects.toThrow("interrupted");
  });
});
