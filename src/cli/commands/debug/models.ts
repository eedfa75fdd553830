import type { ModelBehavior } from "../../../compat/index.js";
import { instructionsFor } from "../../../engine/local/index.js";
import {
  describeEffort,
  type ModelPreset,
  modelFamily,
  modelPresets,
} from "../../../model/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { requireEra } from "../../identity.js";

/** Prints the models with the fields of the reference's catalog. */
export const debugModels = defineCommand({
  name: "debug models",
  summary: "Print the model catalog as JSON",
  options: {
    bundled: {
      type: "boolean",
      hidden: true,
      help: "Ignored; the catalog is always the bundled one",
    },
  },
  async run(_, { stdout, env }) {
    const { catalogue } = requireEra(env).model;
    const models = modelPresets(catalogue).map((preset, at) => toRow(preset, at + 1, catalogue));
    stdout.write(`${JSON.stringify({ models })}\n`);
    return exitCodes.ok;
  },
});

function toRow(preset: ModelPreset, priority: number, catalogue: ModelBehavior["catalogue"]) {
  const { id, fast = false, upgrade, news, specialty, multiAgent } = preset;
  const family = modelFamily(id, catalogue);
  return {
    slug: id,
    display_name: preset.displayName,
    description: preset.description,
    default_reasoning_level: preset.defaultEffort,
    supported_reasoning_levels: preset.efforts.map((effort) => ({
      effort,
      description: describeEffort(effort),
    })),
    shell_type: family.shellTool,
    visibility: preset.hidden ? "hide" : "list",
    supported_in_api: true,
    priority,
    additional_speed_tiers: fast ? ["fast"] : [],
    availability_nux: news === undefined ? null : { message: news },
    upgrade: upgrade === undefined ? null : { model: upgrade },
    default_reasoning_summary: family.defaultSummary ?? "auto",
    support_verbosity: family.verbosity,
    default_verbosity: family.defaultVerbosity ?? null,
    apply_patch_tool_type: family.applyPatchTool ?? null,
    supports_parallel_tool_calls: family.parallelToolCalls,
    context_window: family.contextWindow ?? null,
    input_modalities: ["text", "image"],
    ...(specialty === undefined ? {} : { model_specialty: specialty }),
    ...(multiAgent === undefined ? {} : { multi_agent_version: multiAgent }),
    base_instructions: instructionsFor({ override: undefined, family, tools: [] }),
  };
}
