import type { ModelFamily } from "../model/families.js";
import type { ToolSpec } from "../protocol/types.js";
import patchText from "./prompts/apply-patch.md";
import baseText from "./prompts/base.md";

/** What the instructions of a request depend on. */
export interface InstructionParts {
  /** Given by the client; stands alone. */
  override: string | undefined;
  family: Pick<ModelFamily, "needsPatchText">;
  tools: readonly ToolSpec[];
  /** What is said of the tone, if it is said here. */
  tone?: string;
}

/** The instructions of a request: the client's, or ours with what the model must be taught. */
export function instructionsFor({ override, family, tools, tone = "" }: InstructionParts): string {
  if (override !== undefined) return override;
  const hasPatchTool = tools.some((tool) => "name" in tool && tool.name === "apply_patch");
  const text = family.needsPatchText && !hasPatchTool ? withPatchText : baseText;
  return tone === "" ? text : `${text.trimEnd()}${tone}`;
}

const withPatchText = `${baseText}\n${patchText}`;
