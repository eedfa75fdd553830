import { createInterface } from "node:readline/promises";
import { createQueues, runCodex } from "../../engine/index.js";
import { createLocalParts } from "../../engine/local/parts.js";
import { scriptedClient } from "../../model/scripted/index.js";
import type { EventMsg, Op, ReviewDecision } from "../../protocol/types.js";
import { type CommandIo, defineCommand } from "../command.js";
import { DemoPrinter } from "../demo/print.js";
import { createDemoProject, type DemoProject } from "../demo/project.js";
import { demoAnswers } from "../demo/script.js";
import { requireEra } from "../era.js";
import { UsageError } from "../usage-error.js";

/** A whole task on a scripted model: everything but the model is real. */
export const demo = defineCommand({
  name: "demo",
  summary: "Watch a whole task on a scripted model: no key, no network",
  options: {
    yes: { type: "boolean", short: "y", help: "Approve everything the scripted model asks for" },
  },
  details: [
    "A script stands in for the model; the engine, the commands, the patch and the sandbox are",
    "real. It all happens in a temporary folder that is removed afterwards.",
  ].join("\n"),
  async run({ values }, io) {
    if (!values.yes && !io.stdin.isTTY) {
      throw new UsageError("demo asks for approvals: run it in a terminal, or with --yes");
    }
    const project = await createDemoProject();
    try {
      return await play(project, io, values.yes);
    } finally {
      await project.remove();
    }
  },
});

async function play(project: DemoProject, io: CommandIo, yes: boolean): Promise<number> {
  const write = (text: string) => io.stdout.write(text);
  const queues = createQueues();
  const submit = (op: Op) => queues.submissions.push({ id: "demo", op });
  const env = { ...io.env, CODEX_HOME: project.home };
  const parts = createLocalParts({ env, cwd: project.workspace, era: requireEra(io.env) });
  const running = runCodex(queues, {
    ...parts,
    createModel: async () => scriptedClient(demoAnswers),
  });
  const unavailable = await parts.machine.sandbox.unavailable();
  io.signal.addEventListener("abort", () => submit({ type: "shutdown" }), { once: true });

  write("This is a demonstration: the «scripted model» below follows a script.\n");
  if (unavailable !== undefined) write(`${unavailable.message}\n${withoutSandbox}\n`);
  submit({
    type: "configure_session",
    model: "scripted-model",
    approval_policy: "untrusted",
    sandbox_policy: { mode: unavailable === undefined ? "workspace-write" : "danger-full-access" },
    include_plan_tool: true,
  });
  const words = "The test of this project fails. Find out why and mend it.";
  submit({ type: "user_input", items: [{ type: "text", text: words }] });

  const printer = new DemoPrinter(write);
  let outcome: EventMsg | undefined;
  for await (const { msg } of queues.events) {
    printer.print(msg);
    const answer = await answerTo(msg, io, yes);
    if (answer !== undefined) submit(answer);
    if (msg.type === "task_complete" || msg.type === "turn_aborted") {
      outcome = msg;
      submit({ type: "shutdown" });
    }
  }
  await running;
  await parts.close();
  return outcome?.type === "task_complete" && outcome.last_agent_message !== null ? 0 : 1;
}

const withoutSandbox =
  "The commands of this script therefore run without one, in its own temporary folder only.";

/** The user's answer to a question of the engine; nothing for everything else. */
async function answerTo(msg: EventMsg, io: CommandIo, yes: boolean): Promise<Op | undefined> {
  if (msg.type === "exec_approval_request") {
    return { type: "exec_approval", id: msg.call_id, decision: await decide(io, yes) };
  }
  if (msg.type === "apply_patch_approval_request") {
    return { type: "patch_approval", id: msg.call_id, decision: await decide(io, yes) };
  }
  return undefined;
}

async function decide(io: CommandIo, yes: boolean): Promise<ReviewDecision> {
  const question = "  Allow it? [y/n] ";
  if (yes) {
    io.stdout.write(`${question}y (--yes)\n`);
    return "approved";
  }
  const prompt = createInterface({ input: io.stdin, output: io.stdout });
  try {
    const answer = await prompt.question(question, { signal: io.signal });
    return /^y(es)?$/i.test(answer.trim()) ? "approved" : "denied";
  } catch {
    return "abort";
  } finally {
    prompt.close();
  }
}
