import Type from "typebox";
import {
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  Verbosity,
} from "../../protocol/config-types.js";
import { Count, setting } from "./setting.js";

/** Which model is asked, and how. */
export const modelKeys = {
  model: setting(Type.String(), {
    text: "The model that works on the user's tasks.",
    default: "gpt-6.1-sol",
    project: true,
  }),
  review_model: setting(Type.String(), {
    text: "The model that reviews code; `model` when absent.",
    project: true,
  }),
  model_provider: setting(Type.String(), {
    text: "Where the model is asked: the id of a built-in provider or of one in `model_providers`.",
    default: "openai",
  }),
  oss_provider: setting(Type.Enum(["ollama", "lmstudio"]), {
    text: "The local provider that `--oss` uses.",
    since: "0.98",
  }),
  openai_base_url: setting(Type.String(), {
    text: "Where the built-in provider `openai` is reached; `OPENAI_BASE_URL` comes before it.",
    since: "0.166",
  }),
  chatgpt_base_url: setting(Type.String(), {
    text: "Where ChatGPT is reached for those who are logged in with it.",
    default: "https://chatgpt.com/backend-api/",
  }),
  model_context_window: setting(Count({ minimum: 1 }), {
    text: "How many tokens the model can be shown; known for the usual models.",
    project: true,
  }),
  model_max_output_tokens: setting(Count({ minimum: 1 }), {
    text: "How many tokens the model can answer with; known for the usual models. Has no effect here.",
    project: true,
    ignored: [],
  }),
  model_auto_compact_token_limit: setting(Type.Integer(), {
    text: "Compacts the conversation when it has become this many tokens long.",
    project: true,
  }),
  model_reasoning_effort: setting(ReasoningEffort, {
    text: "How much the model reasons; the model decides when absent.",
    project: true,
  }),
  model_reasoning_summary: setting(ReasoningSummary, {
    text: "How much of its reasoning the model tells.",
    default: "auto",
    project: true,
  }),
  model_verbosity: setting(Verbosity, {
    text: "How long the answers of the model are; the model decides when absent.",
    project: true,
  }),
  model_supports_reasoning_summaries: setting(Type.Boolean(), {
    text: "Says of a model that is not known whether it can be asked for reasoning. Has no effect here.",
    project: true,
    ignored: [],
  }),
  model_reasoning_summary_format: setting(Type.Enum(["none", "experimental"]), {
    text: "Says of a model that is not known how its reasoning summaries are written. Has no effect here.",
    project: true,
    ignored: [],
  }),
  personality: setting(Personality, {
    text: "The tone in which the model speaks.",
    since: "0.98",
    project: true,
  }),
};

/** What the model is told before the conversation. */
export const instructionKeys = {
  instructions: setting(Type.String(), {
    text: "What the model is told besides its base prompt, before AGENTS.md.",
    project: true,
  }),
  developer_instructions: setting(Type.String(), {
    text: "What the model is told in a message of the developer.",
    since: "0.98",
    project: true,
  }),
  model_instructions_file: setting(Type.String(), {
    text: "A file that replaces the base prompt; a project's must lie in the project.",
    since: "0.98",
    project: true,
    path: true,
  }),
  experimental_instructions_file: setting(Type.String(), {
    text: "The older name of `model_instructions_file`.",
    project: true,
    path: true,
    alias: "model_instructions_file",
  }),
  compact_prompt: setting(Type.String(), {
    text: "What the model is told when it compacts a conversation.",
    since: "0.98",
    project: true,
  }),
  experimental_compact_prompt_file: setting(Type.String(), {
    text: "A file with the compact prompt; `compact_prompt` comes before it.",
    since: "0.98",
    project: true,
    path: true,
  }),
};
