import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script, Step } from "../../../src/model/scripted/index.js";
import type { Op } from "../../../src/protocol/types.js";
import { agentCall, spawn, wait } from "../../support/agents.js";
import {
  startTestCodex,
  type TestCodex,
  type TestCodexOptions,
  text,
} from "../../support/codex.js";
import { command, writeHooks } from "../../support/hooks.js";
import { calls, says } from "../../support/model.js";

const run = (cmd: string) => calls("exec_command", { cmd, login: false });
const followUp = (target: string): Step[] => [
  agentCall("followup_task", { target, message: "do more" }),
];
const started = [[spawn("one")], wait, says("started")];
const input: Op = { type: "user_input", items: text("use a helper") };
const full = { mode: "danger-full-access" } as const;

const denying = {
  permissions: {
    work: { extends: ":workspace", filesystem: { ":workspace_roots": { "secret.env": "deny" } } },
    other: { extends: ":workspace" },
  },
};

interface Case {
  config: TestCodexOptions["config"];
  requirements?: string;
  /** Files of the home. */
  files?: Record<string, string>;
  model: Script;
  ops: Op[];
}

/** Runs the turns of a case; all approvals are declined. */
async function runCase(
  { config, files = {}, model, ops, ...options }: Case,
  prepare?: (codex: TestCodex) => Promise<void>,
): Promise<TestCodex> {
  const codex = await startTestCodex({
    ...options,
    config: { model: "gpt-6-sol", "features.code_mode": false, ...config },
    model,
    configure: false,
  });
  for (const [path, content] of Object.entries({ ...files, "../workspace/secret.env": "hush" })) {
    const file = join(codex.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await prepare?.(codex);
  codex.submit({ type: "configure_session" }, "");
  await codex.until("session_configured");
  void declineAll(codex);
  for (const op of ops) await codex.turn(await placed(op, codex));
  return codex;
}

async function declineAll(codex: TestCodex): Promise<void> {
  for (;;) {
    const { msg } = await codex.until("exec_approval_request");
    codex.submit({ type: "exec_approval", id: msg.call_id, decision: "denied" });
  }
}

/** Path of the log of the root. */
function rolloutOf({ events }: TestCodex): string {
  const paths = events.flatMap(({ msg }) =>
    msg.type === "session_configured" ? [msg.rollout_path] : [],
  );
  return paths[0] ?? "";
}

/** Creates the folder of a turn below the workspace. */
async function placed(op: Op, { workspace }: TestCodex): Promise<Op> {
  if (op.type !== "user_turn" || op.cwd === undefined) return op;
  const cwd = join(workspace, op.cwd);
  await mkdir(cwd, { recursive: true });
  return { ...op, cwd };
}

const turn = (overrides: object): Op =>
  ({
    type: "user_turn",
    items: text("again"),
    cwd: ".",
    approval_policy: "never",
    sandbox_policy: { mode: "workspace-write" },
    model: "gpt-6-sol",
    summary: "auto",
    ...overrides,
  }) as Op;

const afterwards = (cmd: string): Script => ({
  answers: [...started, followUp("one"), wait, says("done")],
  agents: { "*": [says("ready"), run(cmd), says("done")] },
});
const inTurn = (cmd: string): Script => ({
  answers: [[spawn("one")], wait, says("done")],
  agents: { "*": [run(cmd), says("done")] },
});
const below = (roles: readonly [object, object], script: Step[]): Script => ({
  answers: [[spawn("one", roles[0])], wait, says("done")],
  agents: {
    "/root/one": [[spawn("deep", roles[1])], wait, says("done")],
    "/root/one/deep": [script, says("done")],
  },
});

const cannotWrite: Record<string, Case> = {
  "a turn of its parent narrows the sandbox after it was started": {
    config: { sandbox_mode: "workspace-write", approval_policy: "never" },
    model: afterwards("touch made"),
    ops: [input, turn({ sandbox_policy: { mode: "read-only" } })],
  },
  "its parent works in another folder after it was started": {
    config: { sandbox_mode: "workspace-write", approval_policy: "never" },
    model: afterwards("touch made; touch ../made"),
    ops: [
      input,
      turn({
        cwd: "below",
        sandbox_policy: {
          mode: "workspace-write",
          exclude_slash_tmp: true,
          exclude_tmpdir_env_var: true,
        },
      }),
    ],
  },
  "its parent must ask after it was started": {
    config: { sandbox_mode: "danger-full-access", approval_policy: "never" },
    model: afterwards("touch made"),
    ops: [input, turn({ approval_policy: "untrusted", sandbox_policy: full })],
  },
  "the profile of its parent denies a file, and a turn replaces it by a policy": {
    config: { ...denying, default_permissions: "work", approval_policy: "never" },
    model: inTurn("cat secret.env > made || rm made"),
    ops: [turn({ sandbox_policy: full })],
  },
  "the profile of its parent denies a file, and a turn replaces it by another": {
    config: { ...denying, default_permissions: "work", approval_policy: "never" },
    model: inTurn("cat secret.env > made || rm made"),
    ops: [turn({ sandbox_policy: undefined, active_permission_profile: { id: "other" } })],
  },
  "its role narrows a profile, which denies a file": {
    config: { ...denying, default_permissions: "work", approval_policy: "never" },
    files: { "agents/limited.toml": 'sandbox_mode = "read-only"\n' },
    model: {
      answers: [[spawn("one", { agent_type: "limited" })], wait, says("done")],
      agents: { "*": [run("cat secret.env | grep hush && touch made"), says("done")] },
    },
    ops: [input],
  },
  "the administrator denies a file": {
    config: { approval_policy: "never", sandbox_mode: "danger-full-access" },
    requirements: '[permissions.filesystem]\ndeny_read = ["~/workspace/secret.env"]\n',
    model: inTurn("cat secret.env > made || rm made"),
    ops: [input],
  },
  "the role of its parent is read-only": {
    config: { sandbox_mode: "danger-full-access", approval_policy: "never" },
    files: { "agents/limited.toml": 'sandbox_mode = "read-only"\n' },
    model: below([{ agent_type: "limited" }, {}], run("touch made")),
    ops: [input],
  },
  "the role of its parent is narrower than its own": {
    config: { sandbox_mode: "danger-full-access", approval_policy: "never" },
    files: {
      "agents/limited.toml": 'sandbox_mode = "read-only"\n',
      "agents/writer.toml": 'sandbox_mode = "workspace-write"\n',
    },
    model: below([{ agent_type: "limited" }, { agent_type: "writer" }], run("touch made")),
    ops: [input],
  },
  "the role of its parent has no tool for it": {
    config: { sandbox_mode: "danger-full-access", approval_policy: "never" },
    files: { "agents/limited.toml": 'tools = ["collaboration", "view_image"]\n' },
    model: below([{ agent_type: "limited" }, {}], run("touch made")),
    ops: [input],
  },
  "both roles have tools, but not this one": {
    config: { sandbox_mode: "danger-full-access", approval_policy: "never" },
    files: {
      "agents/limited.toml": 'tools = ["collaboration"]\n',
      "agents/writer.toml": 'tools = ["exec_command"]\n',
    },
    model: below([{ agent_type: "limited" }, { agent_type: "writer" }], run("touch made")),
    ops: [input],
  },
};

describe("an agent cannot write, or read what is denied, if", () => {
  test.each(Object.entries(cannotWrite))("%s", async (_, one) => {
    await using codex = await runCase(one);

    const ofAgents = codex.prompts.filter(({ input }) =>
      JSON.stringify(input).includes("NEW_TASK"),
    );
    expect(JSON.stringify(ofAgents.at(-1)?.input)).toContain("function_call_output");
    expect(existsSync(join(codex.workspace, "made"))).toBe(false);
  });

  test("it is loaded again, below an agent whose role is read-only", async () => {
    const files = { "agents/limited.toml": 'sandbox_mode = "read-only"\n' };
    const config = { sandbox_mode: "danger-full-access", approval_policy: "never" };
    await using first = await runCase({
      config,
      files,
      model: below([{ agent_type: "limited" }, {}], run("true")),
      ops: [input],
    });
    const rollout_path = rolloutOf(first);
    await first.shutdown();

    const through = (target: string) => [followUp(target), wait, says("done")];
    await using codex = await startTestCodex({
      config: { model: "gpt-6-sol", "features.code_mode": false, ...config },
      model: {
        answers: through("one"),
        agents: { "/root/one": through("deep"), "*": [run("touch made"), says("done")] },
      },
      sharing: first,
      configure: false,
    });
    codex.submit({ type: "configure_session", resume_path: rollout_path });
    await codex.turn(input);

    const outputs = codex.prompts.flatMap(({ input }) => {
      const last = input.at(-1);
      return last?.type === "function_call_output" ? [JSON.stringify(last.output)] : [];
    });
    expect(outputs.join()).toContain("Read-only file system");
    expect(existsSync(join(codex.workspace, "made"))).toBe(false);
  });
});

describe("hooks and approvals", () => {
  const config = { sandbox_mode: "danger-full-access", approval_policy: "never" };

  test.each([["the home"], ["the project"]])(
    "a PreToolUse hook of %s stops agents at every depth, in every folder",
    async (place) => {
      const model = below([{}, {}], run("touch made"));
      const ops = [turn({ cwd: "../elsewhere", sandbox_policy: full })];
      await using codex = await runCase({ config, model, ops }, async ({ home, workspace }) => {
        const folder = place === "the home" ? home : join(workspace, ".codex");
        await mkdir(folder, { recursive: true });
        const trust = await writeHooks(folder, command("PreToolUse", "exit 2", "Bash"));
        const project = `[projects."${workspace}"]\ntrust_level = "trusted"\n`;
        await writeFile(join(home, "config.toml"), `${project}${trust}`);
      });

      const toDeep = '"recipient":"/root/one/deep"';
      const deep = codex.prompts.filter(({ input }) => JSON.stringify(input).includes(toDeep));
      expect(JSON.stringify(deep.at(-1)?.input)).toContain("blocked by PreToolUse hook");
      expect(existsSync(join(codex.workspace, "../elsewhere/made"))).toBe(false);
    },
  );

  test("an approval for the session of one agent does not hold for another", async () => {
    const codex = await startTestCodex({
      config: { model: "gpt-6-sol", "features.code_mode": false, approval_policy: "untrusted" },
      model: {
        answers: [run("touch a"), [spawn("one")], wait, says("done")],
        agents: { "*": [run("touch a"), says("done")] },
      },
    });
    await using _disposed = codex;
    codex.submit(input);
    const threads: (string | undefined)[] = [];
    for (const decision of ["approved_for_session", "denied"] as const) {
      const { msg, thread_id } = await codex.until("exec_approval_request");
      threads.push(thread_id);
      codex.submit({ type: "exec_approval", id: msg.call_id, decision });
    }
    await codex.until("task_complete");

    expect(new Set(threads).size).toBe(2);
  });
});
