import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CannotRun } from "../../conformance/suite.js";
import { suite } from "../../conformance/suites/engine_scenarios.js";

const dirs: string[] = [];

afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))));

const hello = {
  steps: [
    { op: { type: "user_input", items: [{ type: "text", text: "hello" }] }, wait: "task_complete" },
  ],
  model_turns: [[{ message: "Hi." }, { completed: true }]],
};

test.each<[object, string | undefined]>([
  [{ request_count: 1, final_event: "task_complete", agent_message_contains: "Hi." }, undefined],
  [{ requests: [{ last_input_text: "hello", body: { stream: true } }] }, undefined],
  [{ events_in_order: ["task_started", "agent_message", "task_complete"] }, undefined],
  [{ agent_message: { message: "Hi." } }, undefined],
  [{ rollout: { turn_context_count: 1 }, rollout_user_message_contains: "hello" }, undefined],
  [{ request_count: 2 }, "request_count: expected 2, got 1"],
  [{ requests: [{ last_input_text: "bye" }] }, 'request 0: last_input_text: expected "bye"'],
  [{ requests: [{}, {}] }, "1 requests instead of 2"],
  [{ requests: [{ headers: { accept: "x" } }] }, "headers.accept is"],
  [{ events_in_order: ["task_complete", "agent_message"] }, "no agent_message from event"],
  [{ absent_events: ["agent_message"] }, 'there is {"type":"agent_message"'],
  [{ rollout: { compacted_message: "x" } }, "rollout: compacted_message: expected"],
  [{ frobnicate: 1 }, "not run: unknown expectation frobnicate"],
  [{ requests: [{ frobnicate: 1 }] }, "not run: unknown expectation frobnicate"],
  [{ frobnicated: { a: 1 } }, "unknown expectation frobnicated"],
])("of a turn, %j says %j", async (expected, difference) => {
  const actual = await run({ ...hello, expect: expected });

  if (difference === undefined) expect(actual).toBeUndefined();
  else expect(actual).toContain(difference);
});

test("a resumed thread continues, and its fork is separate", async () => {
  const [step] = hello.steps;
  const actual = await run({
    steps: [step, { resume: true }, step, { fork: { nth_user_message: 1 } }, step],
    model_turns: [...hello.model_turns, ...hello.model_turns, ...hello.model_turns],
    expect: {
      prompt_cache_key: "one for the conversation, another for its copy",
      requests: [
        {},
        { prefix_of_request: 0, input_len: 4 },
        { prefix_of_request: 0, input_len: 4 },
      ],
    },
  });

  expect(actual).toBeUndefined();
});

test.each<[object, string | undefined]>([
  [{ exit_code: 3, stdout: "out\n", stderr: "err\n", deltas: { stdout: "out\n" } }, undefined],
  [{ exit_code: 0 }, "exit_code: expected 0, got 3"],
  [{ deltas: { stderr: "" } }, "stderr: expected"],
  [{ signal: 9 }, "not run: unknown expectation signal"],
])("of a command, %j says %j", async (expected, difference) => {
  const argv = ["sh", "-c", "echo out; echo err >&2; exit 3"];

  const actual = await run({ kind: "exec", argv, expect: expected });

  if (difference === undefined) expect(actual).toBeUndefined();
  else expect(actual).toContain(difference);
});

async function run(testCase: object): Promise<string | undefined> {
  const dir = await mkdtemp(join(tmpdir(), "quire-scenario-"));
  dirs.push(dir);
  try {
    return await suite.run({ name: "case", era: "v0.39", ...testCase }, { dir });
  } catch (error) {
    if (error instanceof CannotRun) return `not run: ${error.message}`;
    throw error;
  }
}
