import type { CommandResult } from "../../exec/index.js";
import { formattedOutput } from "../../exec/index.js";
import { type RunContext, runReported } from "./run-command.js";
import type { ExecServices } from "./services.js";

/** Runs what the user types for a shell: nobody is asked, and no sandbox confines it. */
export interface UserShell {
  /** Tells the client of it, and returns the message by which the model hears of it. */
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
      const turn = { ...context.turn, sandbox_policy: { mode: "danger-full-access" } as const };
      const ran = await runReported(call, { ...context, turn }, services, { sandboxed: false });
      return toMessage(command, ran.result, services);
    },
  };
}

/** An hour: the user can end it, and what the user runs may well take long. */
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
