import { parsePatch } from "../../patch/index.js";
import { defineTool } from "../define-tool.js";
import type { ExecServices } from "../exec/services.js";
import { parameters } from "../parameters.js";
import type { Tool, ToolContext, ToolOutput } from "../tool.js";
import grammar from "./apply-patch.lark";
import { runPatchCall } from "./patch-call.js";

const description =
  "Changes files. The input is a patch: `*** Begin Patch`, then for each file `*** Add File: PATH` " +
  "with lines that start with `+`, `*** Delete File: PATH`, or `*** Update File: PATH` (and " +
  "`*** Move to: PATH` to rename it) with chunks that start with `@@` and hold lines starting with " +
  "a space (context), `-` or `+`; then `*** End Patch`. Give three lines of context around each " +
  "change, and name the function or class behind `@@` when they could stand in several places.";

const input = parameters({ input: { type: "string", description: "The whole patch." } }, ["input"]);

const freeform = {
  type: "custom",
  name: "apply_patch",
  description: `${description} The patch is the whole input; do not wrap it in JSON.`,
  format: { type: "grammar", syntax: "lark", definition: grammar },
} as const;

/** Changes files; takes the patch as JSON, for models that know only functions. */
export function applyPatchFunction(services: ExecServices): Tool {
  return defineTool({
    name: "apply_patch",
    description,
    input,
    run: ({ input }, context) => applyText(input, context, services),
  });
}

/** Changes files; takes the patch as it is. */
export function applyPatchFreeform(services: ExecServices): Tool {
  return {
    spec: freeform,
    run: ({ text }, context) => applyText(text, context, services),
  };
}

async function applyText(
  text: string,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  const parsed = parsePatch(text);
  const call = parsed.ok
    ? ({ kind: "patch", patch: parsed.patch, workdir: undefined } as const)
    : ({ kind: "invalid", error: parsed.error } as const);
  const output = await runPatchCall(call, { workdir: undefined }, context, services);
  return output.success ? { ...output, value: {} } : output;
}
