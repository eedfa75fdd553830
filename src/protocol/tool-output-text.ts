import type { FunctionCallOutputItem } from "./items/response.js";

/**
 * Returns the output of a tool that the model did not call as a text; undefined for the output of a call.
 *
 * Model servers reject an output without a call, so that most of them get this text instead.
 */
export function toolOutputText(item: FunctionCallOutputItem): string | undefined {
  const { call_id, name = "", namespace, output } = item;
  if (call_id !== undefined) return undefined;
  const whole = namespace === undefined || namespace === "" ? name : `${namespace}.${name}`;
  const text = typeof output === "string" ? output : output.map(partText).join("\n");
  return `<tool_output name=${JSON.stringify(whole)}>${text.replaceAll("</tool_output>", "<\\/tool_output>")}</tool_output>`;
}

function partText(part: Exclude<FunctionCallOutputItem["output"], string>[number]): string {
  return part.type === "input_text" ? part.text : "[image]";
}
