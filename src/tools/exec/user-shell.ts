import type { CommandResult } from "../../exec/index.js";
import { formattedOutput } from "../../exec/index.js";
import { type RunContext, runReported } from "./run-command.js";
import { type ExecServices, policyOf } from "./services.js";

/**
 * Runs shell commands that the user typed: without approval and without a sandbox. What a permission
 * profile denies stays denied, since the output is sent to the model.
 */
export interface UserShell {
  /** Emits events for the command and returns the message for the model. */
  run(command: string, context: RunContext, options?: { timeoutMs?: number }): Promise<string>;
}

/** The user's shell, on the services that the tools of the session have. */
export function createUserShell(services: ExecServices): UserShell {
  return {
    async run(command, context, { timeoutMs = longestMs } = {}) {
      const call = {
        argv: services.shellArgv(command, { login: true }),
        workdir: undefined,
        timeoutMs,
        source: "user_shell",
      } as const;
      const sandbox_policy = await policyOf(context.turn, { sandboxed: false });
      const turn = { ...context.turn, sandbox_policy };
      const ran = await runReported(call, { ...context, turn }, services, { sandboxed: false });
      return toMessage(command, ran.result, services);
    },
  };
}

/** One hour: the user can interrupt it, and user commands may take long. */
const longestMs = 3_600_000;

function toMessage(command: string, result: CommandResult, { cut }: ExecServices): string {
  const output = formattedOutput(result, cut);
  const seconds = (result.durationMs / 1000).toFixed(4);
  return [
    "<user_shell_command>",
    "<command>",
    command,
    "</command>",
    "<result>",
    `Exit code: ${result.exitCode}`,
    `Duration: ${seconds} seconds`,
    "Output:",
    output,
    "</result>",
    "</user_shell_command>",
  ].join("\n");
}
