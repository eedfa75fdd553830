import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandIo } from "../../../src/cli/command.js";
import { mockModel } from "../../../src/cli/commands/mock-model.js";
import { parseCommand } from "../../../src/cli/parse.js";
import { askAll, clientOf } from "../../support/model.js";
import { createUser } from "../support/run-quire.js";

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "quire-mock-"));
  await writeFile(join(cwd, "good.json"), '[[{"message":"hi"}]]');
  await writeFile(join(cwd, "text.json"), "{not json");
  await writeFile(join(cwd, "wrong.json"), '[[{"message":"hi"},{"call":7}]]');
});

afterAll(() => rm(cwd, { recursive: true }));

/** Runs the command; `firstOutput` resolves with its first output. */
function run(...args: string[]) {
  const stop = new AbortController();
  const written = { out: "", err: "" };
  let resolveOutput: (text: string) => void;
  const firstOutput = new Promise<string>((resolve) => {
    resolveOutput = resolve;
  });
  const stdout = {
    write(text: string) {
      written.out += text;
      resolveOutput(written.out);
    },
  };
  const stderr = {
    write(text: string) {
      written.err += text;
    },
  };
  const io = { stdout, stderr, cwd, signal: stop.signal } as unknown as CommandIo;
  const { values, positionals } = parseCommand(mockModel, args);
  const exit = mockModel.run({ values: values as never, positionals }, io);
  return { exit, firstOutput, written, stop: () => stop.abort() };
}

describe("mock-model", () => {
  test("serves a script until it is stopped, and prints how to use it", async () => {
    const command = run("good.json");
    const text = await command.firstOutput;
    const base_url = /at (http:\S+)/.exec(text)?.[1] ?? "";
    using client = clientOf({ base_url });

    const items = await askAll(client);
    command.stop();

    expect(await command.exit).toBe(0);
    expect(items.at(-1)?.type).toBe("completed");
    expect(text).toContain(`base_url = "${base_url}"`);
    expect(text).toContain('wire_api = "responses"');
    expect(command.written.err).toBe("request 1: 200\n");
  });

  test("listens on the given port", async () => {
    const first = run("good.json");
    const port = /:(\d+)\//.exec(await first.firstOutput)?.[1] ?? "";
    first.stop();
    await first.exit;

    const second = run("good.json", "--port", port);

    expect(await second.firstOutput).toContain(`127.0.0.1:${port}/`);
    const third = run("good.json", "--port", port);
    expect(await third.exit).toBe(1);
    expect(third.written.err).toContain("EADDRINUSE");
    second.stop();
    await second.exit;
  });

  test.each([
    [[], 2, "mock-model takes one script: quire mock-model SCRIPT.json [--port N]"],
    [["a.json", "b.json"], 2, "mock-model takes one script"],
    [
      ["good.json", "--port", "99999"],
      2,
      "Expected --port to be a number from 0 to 65535 (got 99999)",
    ],
    [["missing.json"], 1, "missing.json cannot be read: ENOENT"],
    [["text.json"], 1, "text.json is not JSON"],
    [["wrong.json"], 1, "wrong.json: script[0][1].call must be text, not 7"],
  ])("with %j ends with %i and says why", async (args, code, message) => {
    const { exit, written } = run(...args);

    expect(await exit).toBe(code);
    expect(written.err).toContain(message);
    expect(written.out).toBe("");
  });

  test("has a help, and knows its options", async () => {
    using user = createUser();

    const help = await user.run(["mock-model", "--help"]);
    const wrong = await user.run(["mock-model", "good.json", "--prot", "1"]);

    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("Usage: quire mock-model [OPTIONS] SCRIPT.json");
    expect(help.stdout).toContain("--port N");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("Unknown option '--prot'");
  });
});
