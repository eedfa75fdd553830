import type { EventMsg } from "../../protocol/types.js";
import { joinWords, readShellScript } from "../../shell/index.js";

/** Prints a conversation as it goes: what the model says, does and asks. */
export class DemoPrinter {
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
