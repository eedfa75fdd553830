import { recognizePatchCall } from "../../patch/index.js";
import type { Tool, ToolInput, ToolKind } from "../../tools/index.js";
import { type CommandForm, forms, isObject, isWords, type Values } from "./command-forms.js";

/** A tool call as the engine received it. */
export interface CalledTool {
  id: string;
  kind: ToolKind;
  toolName: string;
  namespace?: string | null | undefined;
  input: string;
}

/** A tool call as hooks see it. */
export interface HookedCall {
  /** `tool_name` in the input of hooks. */
  name: string;
  /** Names that matchers are compared with. */
  names: readonly string[];
  /** `tool_input` in the input of hooks. */
  input: unknown;
  /** Input of the tool, with exactly the values that hooks have seen. */
  toolInput: ToolInput;
  /** Commands and patches: the text that a refusal repeats to the model. */
  command?: string;
  /** The text of a patch that a command applies. */
  patch?: string;
  /** Returns the call with input that a hook has changed; throws if it has the wrong shape. */
  withInput(updated: unknown): HookedCall;
}

const patchNames = ["apply_patch", "Edit", "Write"] as const;

/**
 * Describes a call for hooks.
 *
 * Every call has a description: hooks also see input that the tool will reject.
 */
export function toHookedCall(call: CalledTool, tool: Tool): HookedCall {
  if (call.kind === "custom" && call.toolName === "apply_patch") return ofPatchText(call.input);
  const values = parseObject(call.input);
  if (values === undefined) return ofText(call, tool);
  const form = formOf(call, values);
  return form === undefined ? ofValues(nameOf(call, tool), values) : ofCommand(form, values);
}

/** Returns the part of a command that applies a patch, as a call of `apply_patch`. */
export function patchPart({ patch }: HookedCall): Pick<HookedCall, "name" | "names" | "input"> {
  return { name: "apply_patch", names: patchNames, input: { command: patch } };
}

function formOf({ kind, toolName }: CalledTool, values: Values): CommandForm | undefined {
  // With an id it types into a process that runs already.
  if (toolName === "unified_exec" && values.session_id != null) return undefined;
  return forms[`${kind} ${toolName}`];
}

function ofCommand(form: CommandForm, values: Values): HookedCall {
  const toolInput = { text: JSON.stringify(values) };
  const command = form.read(values) ?? toolInput.text;
  const withInput = (updated: unknown) =>
    ofCommand(form, { ...values, [form.field]: form.write(commandIn(updated)) });
  if (form.isPatch) return { ...patchCall(command), toolInput, withInput };
  const patch = patchIn(values, form);
  return {
    ...bashCall(command),
    toolInput,
    ...(patch === undefined ? {} : { patch }),
    withInput,
  };
}

function bashCall(command: string): SeenCommand {
  return { name: "Bash", names: ["Bash"], input: { command }, command };
}

function ofPatchText(text: string): HookedCall {
  return {
    ...patchCall(text),
    toolInput: { text },
    withInput: (updated) => ofPatchText(commandIn(updated)),
  };
}

type SeenCommand = Pick<HookedCall, "name" | "names" | "input" | "command">;

function patchCall(command: string): SeenCommand {
  return { name: "apply_patch", names: patchNames, input: { command }, command };
}

function ofValues(names: readonly string[], values: Values): HookedCall {
  return {
    name: names[0] ?? "",
    names,
    input: values,
    toolInput: { text: JSON.stringify(values) },
    withInput: (updated) => {
      if (isObject(updated)) return ofValues(names, updated);
      throw new TypeError("hook returned updatedInput that is not an object");
    },
  };
}

/** A call whose arguments are not an object: hooks see its text. */
function ofText(call: CalledTool, tool: Tool): HookedCall {
  const form = formOf(call, {});
  const isBlank = call.input.trim() === "";
  if (form === undefined && isBlank) return ofValues(nameOf(call, tool), {});
  const toolInput = { text: call.input };
  if (form === undefined) {
    const names = nameOf(call, tool);
    const { withInput } = ofValues(names, {});
    return { name: names[0] ?? "", names, input: call.input, toolInput, withInput };
  }
  const withInput = (updated: unknown) =>
    ofCommand(form, { [form.field]: form.write(commandIn(updated)) });
  const seen = form.isPatch ? patchCall(call.input) : bashCall(call.input);
  return { ...seen, toolInput, withInput };
}

/** Names of a tool that is neither a command nor a patch. */
function nameOf({ toolName, namespace }: CalledTool, { hookName }: Tool): readonly string[] {
  if (hookName !== undefined) return [hookName];
  return namespace ? [`${namespace}${toolName}`, toolName] : [toolName];
}

function patchIn(values: Values, { field }: CommandForm): string | undefined {
  const value = values[field];
  const shell = typeof values.shell === "string" ? values.shell : "bash";
  const argv = isWords(value) ? value : [shell, "-lc", String(value)];
  const call = recognizePatchCall(argv);
  return call.kind === "patch" ? call.patch.text : undefined;
}

function commandIn(updated: unknown): string {
  const command = isObject(updated) ? updated.command : undefined;
  if (typeof command === "string") return command;
  throw new TypeError("hook returned updatedInput without string field `command`");
}

function parseObject(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
