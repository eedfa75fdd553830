import { userInfo } from "node:os";
import { recognizePatchCall } from "../../patch/index.js";
import type { LocalShellAction } from "../../protocol/types.js";
import { failed, type Tool } from "../tool.js";
import { renderFor } from "./run-command.js";
import type { ExecServices } from "./services.js";
import { runCommandOrPatch } from "./shell.js";

/** The shell that some models have built in; it has no parameters to describe. */
export function localShellTool(services: ExecServices): Tool {
  return {
    spec: { type: "local_shell" },
    async run({ text }, context) {
      const action = JSON.parse(text) as LocalShellAction;
      const problem = problemOf(action);
      if (problem !== undefined) return failed(problem);
      return runCommandOrPatch(
        {
          argv: withVariables(action),
          workdir: action.working_directory ?? undefined,
          timeoutMs: action.timeout_ms ?? undefined,
          escalated: action.with_escalated_permissions ?? false,
          justification: action.justification ?? undefined,
          render: (result) => renderFor(context, services, result),
        },
        context,
        services,
      );
    },
  };
}

/** The reason why a call cannot be run as it asks, for the model. */
function problemOf({ user, env }: LocalShellAction): string | undefined {
  const name = Object.keys(env ?? {}).find((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key));
  if (name !== undefined) {
    return `The command was not run: ${JSON.stringify(name)} in \`env\` is not the name of a variable.`;
  }
  const { username, uid } = userInfo();
  if (user == null || user === username || user === String(uid)) return undefined;
  return (
    `The command was not run: \`user\` is ${JSON.stringify(user)}, but commands run only as ` +
    `${JSON.stringify(username)}. Leave \`user\` out.`
  );
}

/**
 * Prefixes the variables to the command: the approval shows them, none counts as safe, and they
 * reach the program inside the sandbox, not the sandbox launcher.
 */
function withVariables({ command, env }: LocalShellAction): readonly string[] {
  if (recognizePatchCall(command).kind !== "none") return command; // starts no program
  const assignments = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`);
  return assignments.length === 0 ? command : ["env", ...assignments, ...command];
}
