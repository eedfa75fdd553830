import { userInfo } from "node:os";
import { plainOutput } from "../../exec/index.js";
import { recognizePatchCall } from "../../patch/index.js";
import type { LocalShellAction } from "../../protocol/types.js";
import { isKnownSafe } from "../../shell/index.js";
import { defineTool, offerOnly } from "../define-tool.js";
import { parameters } from "../parameters.js";
import { runPatchCall } from "../patch/patch-call.js";
import type { ArgumentProblem } from "../read-arguments.js";
import { failed, type Tool, type ToolContext, type ToolOutput } from "../tool.js";
import { type ExecCall, runExecCall } from "./exec-call.js";
import { knowledgeOf } from "./knowledge.js";
import { type EscalationArguments, escalationOf, escalationParameters } from "./permission.js";
import { renderFor } from "./run-command.js";
import type { ExecServices } from "./services.js";

const command = {
  type: "array",
  items: { type: "string" },
  description: "The program and its arguments.",
} as const;
const timeout_ms = {
  type: "number",
  description: "How long it may run, in milliseconds.",
} as const;
const workdir = { type: "string", description: "Where it runs." } as const;

const olderInput = parameters(
  {
    command,
    justification: {
      type: "string",
      description: "With `with_escalated_permissions`: why, in one sentence for the user.",
    },
    timeout_ms,
    with_escalated_permissions: {
      type: "boolean",
      description: "Asks the user to let the command run outside the sandbox.",
    },
    workdir,
  },
  ["command"],
);

const newerInput = parameters({ command, ...escalationParameters, timeout_ms, workdir }, [
  "command",
]);

/** Runs a program with its arguments. */
export function shellTool(services: ExecServices): Tool {
  const isOlder = services.behavior.sessionTools === "2025";
  return defineTool({
    name: "shell",
    description:
      "Runs a command and returns its output. The command is a program and its arguments, run " +
      'directly and not by a shell; use ["bash", "-lc", "…"] for pipes and other shell syntax. ' +
      "Set `workdir` instead of changing directories.",
    input: isOlder ? olderInput : newerInput,
    ...(services.behavior.failureFormat === "debug" && { explain: asDump }),
    isReadOnly: ({ command }) => isKnownSafe(command, knowledgeOf(services.behavior).safeList),
    run: (args, context) =>
      runCommandOrPatch(
        {
          argv: args.command,
          workdir: args.workdir,
          timeoutMs: args.timeout_ms ?? olderTimeout(args),
          ...escalationIn(args),
          render: (result) => renderFor(context, services, result),
        },
        context,
        services,
      ),
  });
}

/** Reads both forms of escalation: models use the one they were trained on. */
function escalationIn(args: EscalationArguments & { with_escalated_permissions?: boolean }) {
  const asked = escalationOf(args);
  return { ...asked, escalated: args.with_escalated_permissions ?? asked.escalated };
}

/** The same tool without escalation, for turns in which the user cannot be asked. */
export function confinedShellTool(services: ExecServices): Tool {
  return offerOnly(shellTool(services), ["command", "workdir", "timeout_ms"], ["command"]);
}

/** Models call `apply_patch` as if it were a program; it is one of ours, not one on the disk. */
export async function runCommandOrPatch(
  call: ExecCall,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  const patchCall = recognizePatchCall(call.argv);
  if (patchCall.kind === "none") return runExecCall(call, context, services);
  return runPatchCall(patchCall, { workdir: call.workdir }, context, services);
}

/** Older models send `timeout`. */
function olderTimeout(args: object): number | undefined {
  return "timeout" in args && typeof args.timeout === "number" ? args.timeout : undefined;
}

function asDump({ what, line, column }: ArgumentProblem): string {
  return `Error(${JSON.stringify(what)}, line: ${line}, column: ${column})`;
}

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
        knowledgeOf(services.behavior).safeList,
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
