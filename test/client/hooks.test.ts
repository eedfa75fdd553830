import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Codex, type CodexOptions, type ProgramHooks } from "../../src/index.js";
import {
  type Answer,
  listenScriptedModel,
  type ScriptedServer,
} from "../../src/model/scripted/index.js";
import { calls, says } from "../support/model.js";

const touches = calls("exec_command", { cmd: "touch made.txt" }, "c1");

let home: string;
let model: ScriptedServer | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-program-hooks-"));
  await mkdir(join(home, "work"));
});

afterEach(async () => {
  await model?.close();
  await rm(home, { recursive: true, force: true });
});

function createCodex(hooks: ProgramHooks, options: CodexOptions = {}): Codex {
  return new Codex({
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
    apiKey: "k",
    workingDirectory: join(home, "work"),
    baseUrl: model?.baseUrl ?? "http://127.0.0.1:1/v1",
    sandboxMode: "danger-full-access",
    ephemeral: true,
    hooks,
    ...options,
  });
}

/** Runs a turn with hooks; returns its items, the last request and whether the command ran. */
async function run(hooks: ProgramHooks, answers: Answer[] = [touches, says("Done.")]) {
  model = await listenScriptedModel({ script: { answers } });
  await using codex = createCodex(hooks);
  const { items, finalResponse } = await codex.startThread().run("go");
  const errors = items.flatMap((item) => (item.type === "error" ? [item.message] : []));
  return {
    finalResponse,
    failures: errors.filter((text) => text.includes(" hook ")),
    requests: model.requests.map(({ body }) => JSON.stringify(body)),
    ran: existsSync(join(home, "work", "made.txt")),
  };
}

test("a function that denies a tool call blocks it, and the model gets the reason", async () => {
  const seen: unknown[] = [];
  const { ran, requests } = await run({
    preToolUse({ tool_name, tool_input, tool_use_id, hook_event_name }) {
      seen.push([hook_event_name, tool_name, tool_input, tool_use_id]);
      return { deny: "no new files" };
    },
  });

  expect(seen).toEqual([["PreToolUse", "Bash", { command: "touch made.txt" }, "c1"]]);
  expect(ran).toBe(false);
  expect(requests.at(-1)).toContain("Command blocked by PreToolUse hook: no new files.");
});

test("functions change input, add context and continue turns", async () => {
  const responses: unknown[] = [];
  const { ran, requests, failures } = await run(
    {
      sessionStart: () => ({ context: "from the start" }),
      preToolUse: () => ({ input: { command: "echo changed" }, context: "before the call" }),
      postToolUse: ({ tool_response }) => {
        responses.push(tool_response);
        return { replaceResult: "a replaced result" };
      },
      stop: ({ stop_hook_active }) =>
        stop_hook_active ? undefined : { continueWith: "one more thing" },
    },
    [touches, says("Done."), says("Really done.")],
  );

  expect([ran, failures]).toEqual([false, []]);
  expect(String(responses)).toContain("changed");
  for (const text of ["from the start", "before the call", "a replaced result", "one more thing"]) {
    expect(requests.at(-1)).toContain(text);
  }
});

test("a rejected message is not sent to the model", async () => {
  const { requests } = await run({ userPromptSubmit: ({ prompt }) => ({ deny: `not ${prompt}` }) });

  expect(requests).toEqual([]);
});

test("a function decides instead of the approver", async () => {
  model = await listenScriptedModel({ script: { answers: [touches, says("Done.")] } });
  const asked: string[] = [];
  await using codex = createCodex(
    { permissionRequest: () => ({ deny: "nobody is asked" }) },
    {
      approvalPolicy: "untrusted",
      sandboxMode: "workspace-write",
      onApproval: ({ kind }) => {
        asked.push(kind);
        return "approve";
      },
    },
  );

  await codex.startThread().run("go");

  expect(asked).toEqual([]);
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("nobody is asked");
});

const broken = () => {
  throw new Error("out of order");
};
const late = ({ run }: { run(signal: AbortSignal): void }) => ({
  timeoutSec: 0.05,
  run: (_: unknown, { signal }: { signal: AbortSignal }) => {
    run(signal);
    return new Promise<undefined>(() => {});
  },
});

test.each<[string, ProgramHooks, boolean, string]>([
  ["throws", { preToolUse: broken }, true, "out of order"],
  ["throws with deny", { preToolUse: { run: broken, onFailure: "deny" } }, false, ""],
  ["throws with deny for all", { preToolUse: [broken], onFailure: "deny" }, false, ""],
  ["matches another tool", { preToolUse: { run: broken, matcher: "view_image" } }, true, ""],
  [
    "returns an unknown field",
    { preToolUse: () => ({ decision: "block" }) as never },
    true,
    'expected preToolUse to return an object with deny, input, context, message (got a field "decision")',
  ],
  ["takes too long", { preToolUse: late({ run() {} }) }, true, "hook timed out after 0.05s"],
])("a function that %s", async (_, hooks, expected, failure) => {
  const { ran, failures } = await run(hooks);

  expect(ran).toBe(expected);
  const text = `PreToolUse hook failed: ${failure}`;
  expect(failures).toEqual(failure === "" ? [] : [text]);
});

test.each<[string, ProgramHooks, string]>([
  ["an unknown event", { preToolUsed: broken } as never, "did you mean preToolUse?"],
  ["no function", { stop: 3 as never }, "Expected `hooks.stop` to be a function"],
  ["an unknown option", { stop: { run: broken, match: "x" } as never }, "`hooks.stop.match`"],
  ["a broken matcher", { preToolUse: { run: broken, matcher: "(" } }, "hooks.preToolUse.matcher"],
  [
    "a failure that cannot block",
    { sessionEnd: { run: broken, onFailure: "deny" } },
    "SessionEnd hooks cannot block anything",
  ],
])("hooks with %s reject the first turn", async (_, hooks, message) => {
  await using codex = createCodex(hooks);

  await expect(codex.startThread().run("go")).rejects.toThrow(message);
});

test("functions cannot be passed to a server elsewhere", () => {
  expect(() => new Codex({ url: "unix:///s", hooks: { stop: broken } })).toThrow("`url`");
});
