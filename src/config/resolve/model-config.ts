import type { ModelConfig } from "../config.js";
import { defaults } from "../defaults.generated.js";
import type { ConfigToml } from "../schema/config-toml.js";
import type { ResolveContext } from "./context.js";
import { findProvider, resolveProviders } from "./providers.js";
import { readNamedText } from "./text-files.js";

/** Which model is asked, and what it is told. */
export async function resolveModel(
  values: ConfigToml,
  { env, dialect }: ResolveContext,
): Promise<ModelConfig> {
  const { model_instructions_file, experimental_compact_prompt_file } = values;
  const model = values.model ?? dialect.model;
  const providers = resolveProviders(values, env, dialect);
  const compactPrompt = values.compact_prompt?.trim() || undefined;
  return {
    model,
    review_model: values.review_model ?? dialect.reviewModel ?? model,
    provider: findProvider(values.model_provider ?? defaults.ConfigToml.model_provider, providers),
    providers,
    oss_provider: values.oss_provider,
    chatgpt_base_url: values.chatgpt_base_url ?? defaults.ConfigToml.chatgpt_base_url,
    model_context_window: values.model_context_window,
    model_max_output_tokens: values.model_max_output_tokens,
    model_auto_compact_token_limit: values.model_auto_compact_token_limit,
    model_reasoning_effort: values.model_reasoning_effort,
    model_reasoning_summary:
      values.model_reasoning_summary ?? defaults.ConfigToml.model_reasoning_summary,
    model_verbosity: values.model_verbosity,
    model_supports_reasoning_summaries: values.model_supports_reasoning_summaries,
    model_reasoning_summary_format: values.model_reasoning_summary_format,
    personality: values.personality,
    instructions: values.instructions,
    developer_instructions: values.developer_instructions,
    base_instructions: await readNamedText(model_instructions_file, "model_instructions_file"),
    compact_prompt:
      compactPrompt ??
      (await readNamedText(experimental_compact_prompt_file, "experimental_compact_prompt_file")),
  };
}
