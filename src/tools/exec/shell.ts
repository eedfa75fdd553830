import { structuredOutput } from "../../exec/index.js";
import { recognizePatchCall } from "../../patch/index.js";
import { isKnownSafe } from "../../shell/index.js";
import { defineTool } from "../define-tool.js";
import { offerOnly } from "../offer-only.js";
import { parameters } from "../parameters.js";
import { runPatchCall } from "../patch/patch-call.js";
import type { ArgumentProblem } from "../read-arguments.js";
import type { Tool, ToolContext, ToolOutput } from "../tool.js";
import { type ExecCall, runExecCall } from "./exec-call.js";
import { knowledgeOf } from "./knowledge.js";
import type { ExecServices } from "./services.js";

/** Runs a program with its arguments. */
export function shellTool(services: ExecServices): Tool {
  return defineTool({
    name: "shell",
    description:
      "Runs a command and returns its output. The command is a program and its arguments, run " +
      'directly and not by a shell; use ["bash", "-lc", "…"] for pipes and other shell syntax. ' +
      "Set `workdir` instead of changing directories.",
    input: parameters(
      {
        command: {
          type: "array",
          items: { type: "string" },
          description: "The program and its arguments.",
        },
        justification: {
          type: "string",
          description: "With `with_escalated_permissions`: why, in one sentence for the user.",
        },
        timeout_ms: { type: "number", description: "How long it may run, in milliseconds." },
        with_escalated_permissions: {
          type: "boolean",
          description: "Asks the user to let the command run outside the sandbox.",
        },
        workdir: { type: "string", description: "Where it runs." },
      },
      ["command"],
    ),
    ...(services.dialect.failureForm === "debug" && { explain: asDump }),
    isReadOnly: ({ command }) => isKnownSafe(command, knowledgeOf(services.dialect).safeList),
    run: (args, context) =>
      runCommandOrPatch(
        {
          argv: args.command,
          workdir: args.workdir,
          timeoutMs: args.timeout_ms ?? olderTimeout(args),
          escalated: args.with_escalated_permissions ?? false,
          justification: args.justification,
          render: (result) => structuredOutput(result, services.cut),
        },
        context,
        services,
      ),
  });
}

/** The same tool for turns in which nobody can be asked to let a command leave the sandbox. */
export function confinedShellTool(services: ExecServices): Tool {
  return offerOnly(shellTool(services), ["command", "workdir", "timeout_ms"], ["command"]);
}

/** The shell that some models have built in; it has no parameters to describe. */
export function localShellTool(services: ExecServices): Tool {
  const { run } = shellTool(services);
  return {
    spec: { type: "local_shell" },
    run({ text }, context) {
      const { working_directory, ...action } = JSON.parse(text) as Record<string, unknown>;
      return run({ text: JSON.stringify({ ...action, workdir: working_directory }) }, context);
    },
  };
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

/** Older models say `timeout`. */
function olderTimeout(args: object): number | undefined {
  return "timeout" in args && typeof args.timeout === "number" ? args.timeout : undefined;
}

function asDump({ what, line, column }: ArgumentProblem): string {
  return `Error(${JSON.stringify(what)}, line: ${line}, column: ${column})`;
}
