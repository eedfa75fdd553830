import type { ModelProvider } from "../protocol/model-provider.js";
import type {
  AskForApproval,
  ReasoningEffort,
  ReasoningSummary,
  SandboxPolicy,
  Verbosity,
} from "../protocol/types.js";

/** The settings a session starts from, with every default filled in. */
export interface Config {
  /** The folder of the user's settings and conversations. */
  home: string;
  cwd: string;
  model: string;
  provider: ModelProvider;
  approval_policy: AskForApproval;
  sandbox_policy: SandboxPolicy;
  model_reasoning_effort: ReasoningEffort | undefined;
  model_reasoning_summary: ReasoningSummary;
  model_verbosity: Verbosity | undefined;
  model_context_window: number | undefined;
  hide_agent_reasoning: boolean;
  show_raw_agent_reasoning: boolean;
  /** Replaces the base prompt of the model's family. */
  base_instructions: string | undefined;
  include_plan_tool: boolean;
  include_apply_patch_tool: boolean;
  tools: { web_search: boolean; view_image: boolean };
  review_model: string;
  compact_prompt: string | undefined;
  model_auto_compact_token_limit: number | undefined;
  shell_environment_policy: {
    inherit?: "all" | "core" | "none";
    ignore_default_excludes?: boolean;
    exclude?: readonly string[];
    set?: Readonly<Record<string, string>>;
    include_only?: readonly string[];
  };
}
