import Type from "typebox";
import {
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  Verbosity,
} from "../../protocol/config-types.js";
import { Count, setting } from "./setting.js";

/** Model and its parameters. */
export const modelKeys = {
  model: setting(Type.String(), {
    text: "Model to use.",
    default: "gpt-6.1-sol",
    project: true,
  }),
  review_model: setting(Type.String(), {
    text: "Model for code reviews. Default: `model`.",
    project: true,
  }),
  model_provider: setting(Type.String(), {
    text: "Id of the model provider: a built-in one or one of `model_providers`.",
    default: "openai",
  }),
  oss_provider: setting(Type.Enum(["ollama", "lmstudio"]), {
    text: "Local provider for `--oss`.",
    since: "0.98",
  }),
  openai_base_url: setting(Type.String(), {
    text: "Base URL of the built-in provider `openai`; `OPENAI_BASE_URL` overrides it.",
    since: "0.166",
  }),
  chatgpt_base_url: setting(Type.String(), {
    text: "Base URL of ChatGPT, for users logged in with ChatGPT.",
    default: "https://chatgpt.com/backend-api/",
  }),
  model_context_window: setting(Count({ minimum: 1 }), {
    text: "Context window of the model in tokens. Default: known for common models.",
    project: true,
  }),
  model_max_output_tokens: setting(Count({ minimum: 1 }), {
    text: "Maximum number of output tokens. Has no effect.",
    project: true,
    ignored: [],
  }),
  model_auto_compact_token_limit: setting(Type.Integer(), {
    text: "Number of tokens from which the conversation is compacted.",
    project: true,
  }),
  model_reasoning_effort: setting(ReasoningEffort, {
    text: "Reasoning effort. Default: that of the model.",
    project: true,
  }),
  model_reasoning_summary: setting(ReasoningSummary, {
    text: "Detail of reasoning summaries.",
    default: "auto",
    project: true,
  }),
  model_verbosity: setting(Verbosity, {
    text: "Verbosity of answers. Default: that of the model.",
    project: true,
  }),
  model_supports_reasoning_summaries: setting(Type.Boolean(), {
    text: "Overrides reasoning summary support of an unknown model. Has no effect.",
    project: true,
    ignored: [],
  }),
  model_reasoning_summary_format: setting(Type.Enum(["none", "experimental"]), {
    text: "Overrides the reasoning summary format of an unknown model. Has no effect.",
    project: true,
    ignored: [],
  }),
  personality: setting(Personality, {
    text: "Tone of the model.",
    since: "0.98",
    project: true,
  }),
};

/** Instructions for the model. */
export const instructionKeys = {
  instructions: setting(Type.String(), {
    text: "Additional instructions, sent before AGENTS.md.",
    project: true,
  }),
  developer_instructions: setting(Type.String(), {
    text: "Instructions sent as a developer message.",
    since: "0.98",
    project: true,
  }),
  model_instructions_file: setting(Type.String(), {
    text: "File that replaces the base prompt. Set by a project, it must be inside the project.",
    since: "0.98",
    project: true,
    path: true,
  }),
  experimental_instructions_file: setting(Type.String(), {
    text: "Older name of `model_instructions_file`.",
    project: true,
    path: true,
    alias: "model_instructions_file",
  }),
  compact_prompt: setting(Type.String(), {
    text: "Prompt for compacting the conversation.",
    since: "0.98",
    project: true,
  }),
  experimental_compact_prompt_file: setting(Type.String(), {
    text: "File with the compact prompt; `compact_prompt` overrides it.",
    since: "0.98",
    project: true,
    path: true,
  }),
};
