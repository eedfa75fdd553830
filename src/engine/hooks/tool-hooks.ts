import type { HookOutcome } from "../../hooks/index.js";
import { errorText } from "../../lib/errors.js";
import {
  failed,
  type HookDecision,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "../../tools/index.js";
import { type CalledTool, type HookedCall, patchPart, toHookedCall } from "./hooked-call.js";

type ToolEvent = "PreToolUse" | "PermissionRequest" | "PostToolUse";

/** Runs the hooks of one event with the fields that it adds to their input. */
export type RunHooks = (
  event: ToolEvent,
  fields: Record<string, unknown>,
  match: { names: readonly string[]; callId: string; unless?: readonly string[] },
) => Promise<HookOutcome>;

/** A tool call to run between its hooks. */
export interface ToolRun {
  call: CalledTool;
  tool: Tool;
  context: ToolContext;
}

/** Runs the hooks of one tool call: before and after it, and before the user is asked. */
export class ToolHooks {
  readonly #run: RunHooks;
  readonly #context: ToolContext;
  /** Commands that outlived their call, by call id. */
  readonly #running: Map<string, HookedCall>;

  constructor(context: ToolContext, run: RunHooks, running: Map<string, HookedCall>) {
    this.#context = context;
    this.#run = run;
    this.#running = running;
  }

  /** Runs the call unless a hook blocks it. */
  async runTool(call: CalledTool, tool: Tool): Promise<ToolOutput> {
    const hooked = await this.#before(toHookedCall(call, tool));
    if ("text" in hooked) return hooked;
    const output = await tool.run(hooked.toolInput, this.#asking(hooked));
    return this.#after(hooked, output);
  }

  /** Returns the call to run, or the output of a blocked one. */
  async #before(first: HookedCall): Promise<HookedCall | ToolOutput> {
    const { blocked, updatedInput } = await this.#runFor("PreToolUse", first);
    if (blocked !== undefined) return failed(blockedText(first, blocked.reason));
    if (updatedInput === undefined) return first;
    try {
      return first.withInput(updatedInput);
    } catch (error) {
      return failed(errorText(error));
    }
  }

  async #after(hooked: HookedCall, output: ToolOutput): Promise<ToolOutput> {
    const { result } = output;
    if (result === "running") {
      if (hooked.name === "Bash") this.#running.set(this.#context.callId, hooked);
      return output;
    }
    // The call that started a process has ended only now.
    const ended = result?.callId === undefined ? undefined : this.#running.get(result.callId);
    if (result?.callId !== undefined) this.#running.delete(result.callId);
    const response = responseOf(output);
    if (response === undefined) return output;
    const callId = ended === undefined ? this.#context.callId : result?.callId;
    const outcome = await this.#runFor("PostToolUse", ended ?? hooked, {
      callId,
      fields: { tool_response: response },
    });
    const { blocked, blocks, stopped } = outcome;
    const reasons = blocks?.map(({ reason }) => reason).join("\n\n") ?? blocked?.reason;
    const text = reasons ?? stopped?.reason;
    return text === undefined ? output : { text, success: output.success };
  }

  /** The context of the call, in which hooks are asked before the user. */
  #asking(hooked: HookedCall): ToolContext {
    const context = this.#context;
    return {
      ...context,
      askExecApproval: async (request, facts) => {
        const decided = await this.#permission(hooked, request.reason ?? undefined);
        return decided ?? context.askExecApproval(request, facts);
      },
      askPatchApproval: async (request) => {
        const decided = await this.#permission(hooked);
        return decided ?? context.askPatchApproval(request);
      },
      askPermissions: async (request) => {
        const isAsked = context.turn.approval_policy !== "never";
        const decided = isAsked ? await this.#permission(hooked) : undefined;
        if (decided?.behavior === "deny") return decided;
        return context.askPermissions(decided ? { ...request, isGranted: true } : request);
      },
    };
  }

  async #permission(hooked: HookedCall, description?: string): Promise<HookDecision | undefined> {
    const input =
      hooked.name === "Bash" && description !== undefined
        ? { ...(hooked.input as object), description }
        : hooked.input;
    const { blocked, permission } = await this.#runFor("PermissionRequest", { ...hooked, input });
    if (permission?.behavior === "deny" || blocked === undefined) return permission;
    return { behavior: "deny", message: blocked.reason };
  }

  /** Runs the hooks of a call; a patch inside a command is also one for the hooks of patches. */
  async #runFor(
    event: ToolEvent,
    hooked: HookedCall,
    {
      callId = this.#context.callId,
      fields = {},
    }: { callId?: string | undefined; fields?: object } = {},
  ): Promise<HookOutcome> {
    const id = event === "PermissionRequest" ? {} : { tool_use_id: callId };
    const runOne = async (
      { name, names, input }: NamedCall,
      { unless }: { unless?: readonly string[] } = {},
    ) => {
      const own = { tool_name: name, tool_input: input, ...fields, ...id };
      const match = { names, callId, ...(unless && { unless }) };
      const outcome = await this.#run(event, own, match);
      for (const text of outcome.contexts) this.#context.informModel(text);
      return outcome;
    };
    const outcome = await runOne(hooked);
    if (hooked.patch === undefined || outcome.blocked !== undefined) return outcome;
    // A hook of all tools may decide by `tool_name`, so that before the call it gets both.
    const once = event === "PreToolUse" ? {} : { unless: hooked.names };
    return merged(outcome, await runOne(patchPart(hooked), once));
  }
}

type NamedCall = Pick<HookedCall, "name" | "names" | "input">;

function merged(first: HookOutcome, second: HookOutcome): HookOutcome {
  const denied = [first, second].find(({ permission }) => permission?.behavior === "deny");
  // The input of a patch is not that of the command around it.
  const { updatedInput: _, ...others } = second;
  return { ...others, ...first, ...(second.blocked && { blocked: second.blocked }), ...denied };
}

function blockedText({ name, command }: HookedCall, reason: string): string {
  return command === undefined
    ? `Tool call blocked by PreToolUse hook: ${reason}. Tool: ${name}`
    : `Command blocked by PreToolUse hook: ${reason}. Command: ${command}`;
}

/** Returns the result of a call for hooks; undefined if it failed without one. */
function responseOf({ result, success, parts, text }: ToolOutput): unknown {
  if (typeof result === "object") return result.response;
  return success ? (parts ?? text) : undefined;
}
