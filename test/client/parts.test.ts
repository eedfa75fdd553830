import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Codex, type CodexOptions } from "../../src/index.js";
import {
  assertAsked,
  assertAskedTimes,
  assertOffered,
  says,
  scriptedModel,
} from "../../src/testing/index.js";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-parts-"));
});

afterEach(() => rm(home, { recursive: true, force: true }));

function createCodex(options: CodexOptions): Codex {
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
  return new Codex({ env, workingDirectory: home, ...options });
}

test("a model object answers without a key or a network", async () => {
  const model = scriptedModel([says("one"), says("two")]);
  const codex = createCodex({ model, ephemeral: true });

  const answers = [];
  for (const text of ["first", "second"]) {
    answers.push((await codex.startThread().run(text)).finalResponse);
  }
  await codex.close();

  expect(answers).toEqual(["one", "two"]);
  assertAskedTimes(model, 2);
  assertAsked(model, "second");
  assertOffered(model, "exec");
  expect(() => assertAsked(model, "third")).toThrow('to contain "third"');
  expect(() => assertOffered(model, "none")).toThrow("Expected the tool `none`");
  expect(() => assertAskedTimes(model, 1)).toThrow("Expected 1 requests to the model (got 2)");
});

test("a log object gets the lines in place of a file, at the time of the clock", async () => {
  const lines: { type: string }[] = [];
  const at = Date.UTC(2030, 0, 1);
  const clock = { now: () => at, sleep: async () => undefined };
  const log: CodexOptions["log"] = (meta) => {
    expect(meta.timestamp).toMatch(/^2030-01-01/);
    return {
      path: undefined,
      append: (line) => void lines.push(line),
      close: async () => undefined,
    };
  };
  const codex = createCodex({ model: scriptedModel([says("one")]), log, clock });

  await codex.startThread().run("first");
  await codex.close();

  expect(lines.map(({ type }) => type)).toContain("response_item");
  expect(await readdir(home)).not.toContain("sessions");
});

test("a queue pair of the program sees and changes what passes between client and engine", async () => {
  const published: string[] = [];
  const model = scriptedModel([says("one")]);
  const codex = createCodex({
    model,
    ephemeral: true,
    queues: (own) => ({
      ...own,
      submissions: (async function* () {
        for await (const submission of own.submissions) {
          const text = JSON.stringify(submission).replace("first", "changed");
          yield JSON.parse(text);
        }
      })(),
      publish(event) {
        published.push(event.msg.type);
        own.publish(event);
      },
    }),
  });

  const thread = codex.startThread();
  const { finalResponse, items } = await thread.run("first");
  await codex.close();

  assertAsked(model, "changed");
  expect(finalResponse).toBe("one");
  expect(items.map(({ type }) => type)).toEqual(["agent_message"]);
  expect(published).toEqual(expect.arrayContaining(["session_configured", "agent_message"]));
});

test.each([
  [{ url: "unix:///nowhere.sock", queues: {} as never }, "`queues`"],
  [{ url: "unix:///nowhere.sock", model: scriptedModel([]) }, "`model`"],
  [{ url: "unix:///nowhere.sock", log: () => ({}) as never }, "`log`"],
  [{ fleet: "nats://127.0.0.1:1", clock: {} as never }, "`clock`"],
])("parts of an engine elsewhere are refused: %#", (options, name) => {
  expect(() => new Codex(options)).toThrow(name);
});
