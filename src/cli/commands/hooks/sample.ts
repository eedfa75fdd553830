import type { HookCall, HookEventName } from "../../../hooks/index.js";

/** Returns the names of a tool that matchers are compared with. */
export function namesOfTool(tool: string): readonly string[] {
  if (commandTools.has(tool)) return ["Bash"];
  return patchNames.includes(tool) ? patchNames : [tool];
}

const commandTools = new Set(["Bash", "exec_command", "shell", "shell_command", "local_shell"]);
const patchNames: readonly string[] = ["apply_patch", "Edit", "Write"];

const samplePatch = "*** Begin Patch\n*** Add File: sample.txt\n+text\n*** End Patch\n";

/** Options for a sample. */
export interface SampleOptions {
  cwd: string;
  model: string;
  tool: string;
  /** Arguments of the tool; for other events, fields of the input. */
  given: Readonly<Record<string, unknown>> | undefined;
}

/** Returns an occurrence of an event, as the engine would pass it to the hooks. */
export function sampleCall(event: HookEventName, options: SampleOptions): HookCall {
  const { cwd, model, tool, given } = options;
  const names = namesOfTool(tool);
  const [name = tool] = names;
  const isTool = event.endsWith("ToolUse") || event === "PermissionRequest";
  const common = {
    session_id: "00000000-0000-0000-0000-000000000000",
    turn_id: "00000000-0000-0000-0000-000000000001",
    transcript_path: null,
    cwd,
    hook_event_name: event,
    model,
    permission_mode: "default",
  };
  if (!isTool) {
    const fields = { ...fieldsOf[event], ...given };
    const { source, trigger, agent_type: kind, reason } = fields as Record<string, string>;
    const match = [source, trigger, kind, reason].filter((text) => typeof text === "string");
    return { event, cwd, names: match, input: { ...common, ...fields } };
  }
  const usual = name === "Bash" ? { command: "echo hello" } : { command: samplePatch };
  const fields = {
    tool_name: name,
    tool_input: given ?? (name === "Bash" || name === "apply_patch" ? usual : {}),
    ...(event === "PermissionRequest" ? {} : { tool_use_id: "sample" }),
    ...(event === "PostToolUse" ? { tool_response: "hello\n" } : {}),
  };
  return { event, cwd, names, callId: "sample", input: { ...common, ...fields } };
}

/** Additional fields of the events that are not about tools. */
const fieldsOf: Partial<Record<HookEventName, Readonly<Record<string, unknown>>>> = {
  SessionStart: { source: "startup" },
  SessionEnd: { reason: "other" },
  UserPromptSubmit: { prompt: "Say hello" },
  PreCompact: { trigger: "manual" },
  PostCompact: { trigger: "manual" },
  SubagentStart: { agent_id: "sample", agent_type: "default" },
  SubagentStop: { agent_id: "sample", agent_type: "default", stop_hook_active: false },
  Stop: { stop_hook_active: false, last_assistant_message: "Hello." },
  PostModelRequest: { status: "completed", error: null, token_usage: null },
};
