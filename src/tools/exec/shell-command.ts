import { plainOutput } from "../../exec/index.js";
import { isKnownSafe } from "../../shell/index.js";
import { defineTool } from "../define-tool.js";
import { parameters } from "../parameters.js";
import type { Tool } from "../tool.js";
import { escalationOf, escalationParameters } from "./escalation.js";
import { knowledgeOf } from "./knowledge.js";
import type { ExecServices } from "./services.js";
import { runCommandOrPatch } from "./shell.js";

/** Runs a script in the user's shell. */
export function shellCommandTool(services: ExecServices): Tool {
  return defineTool({
    name: "shell_command",
    description:
      "Runs a script in the user's shell and returns its output. Set `workdir` instead of " +
      "changing directories.",
    input: parameters(
      {
        command: { type: "string", description: "The script." },
        ...escalationParameters,
        login: {
          type: "boolean",
          description: "Whether it is a login shell, which reads the user's profile; it is.",
        },
        timeout_ms: { type: "number", description: "How long it may run, in milliseconds." },
        workdir: { type: "string", description: "Where it runs." },
      },
      ["command"],
    ),
    isReadOnly: ({ command, login }) =>
      isKnownSafe(
        services.shellArgv(command, { login: login ?? true }),
        knowledgeOf(services.dialect).safeList,
      ),
    run: (args, context) =>
      runCommandOrPatch(
        {
          argv: services.shellArgv(args.command, { login: args.login ?? true }),
          workdir: args.workdir,
          timeoutMs: args.timeout_ms,
          ...escalationOf(args),
          render: (result) => plainOutput(result, services.outputLimit),
        },
        context,
        services,
      ),
  });
}
