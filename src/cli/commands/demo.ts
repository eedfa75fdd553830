import { createInterface } from "node:readline/promises";
import { createQueues, runCodex } from "../../engine/index.js";
import { createLocalParts } from "../../engine/local/index.js";
import { scriptedClient } from "../../model/scripted/index.js";
import type { EventMsg, Op, ReviewDecision } from "../../protocol/types.js";
import { joinWords, readShellScript } from "../../shell/index.js";
import { type CommandIo, defineCommand } from "../command.js";
import { createDemoProject, type DemoProject, demoAnswers } from "../demo/script.js";
import { UsageError } from "../exit-codes.js";
import { requireEra } from "../identity.js";

/** A whole task on a scripted model: everything but the model is real. */
export const demo = defineCommand({
  name: "demo",
  summary: "Run a demo task on a scripted model (no key, no network)",
  options: {
    yes: { type: "boolean", short: "y", help: "Approve all requests" },
  },
  details: [
    "A script replaces the model; engine, commands, patch and sandbox are real. Everything runs in a",
    "temporary directory that is deleted afterwards.",
  ].join("\n"),
  async run({ values }, io) {
    if (!values.yes && !io.stdin.isTTY) {
      throw new UsageError("demo asks for approvals: run it in a terminal, or pass --yes");
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

/** Prints the events of the conversation. */
class DemoPrinter {
  #write: (text: string) => void;
  #inMessage = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  print(msg: EventMsg): void {
    if (msg.type === "agent_message_delta") {
      if (!this.#inMessage) this.#write("\nscripted model: ");
      this.#inMessage = true;
      this.#write(msg.delta);
      return;
    }
    if (this.#inMessage) this.#write("\n");
    this.#inMessage = false;
    for (const line of linesOf(msg)) this.#write(`${line}\n`);
  }
}

function linesOf(msg: EventMsg): string[] {
  switch (msg.type) {
    case "user_message":
      return ["", `you: ${msg.message}`];
    case "plan_update":
      return ["", "  plan", ...msg.plan.map(({ step, status }) => `  ${marks[status]} ${step}`)];
    case "exec_command_begin":
      return ["", `  $ ${commandText(msg.command)}`];
    case "exec_command_end":
      return [...indent(msg.formatted_output, 12), `  (exit code ${msg.exit_code})`];
    case "exec_approval_request":
      return ["", `  The model wants to run: ${commandText(msg.command)}`];
    case "apply_patch_approval_request":
      return [
        "",
        "  The model wants to change:",
        ...Object.keys(msg.changes).map((path) => `    ${path}`),
      ];
    case "patch_apply_end":
      return indent(msg.success ? msg.stdout : msg.stderr, 12);
    case "turn_diff":
      return ["", ...indent(msg.unified_diff, 40)];
    case "error":
    case "warning":
    case "stream_error":
      return ["", `  ${msg.type}: ${msg.message}`];
    case "task_complete":
      return ["", "The task is done."];
    case "turn_aborted":
      return ["", "The task was ended."];
    default:
      return [];
  }
}

/** A script as it is, a plain command with its words quoted where they need it. */
function commandText(argv: readonly string[]): string {
  return readShellScript(argv)?.script ?? joinWords(argv);
}

const marks = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

/** At most so many lines: the demo shows the shape of things, not all of them. */
function indent(text: string, limit: number): string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, limit).map((line) => `  | ${line}`);
  return lines.length > limit ? [...shown, `  | … ${lines.length - limit} more lines`] : shown;
}
