/** A scenario as the suites write it: the initial state of the engine, and the steps. */
export interface Scenario {
  era: string;
  config?: ScenarioConfig;
  /** The text of config.toml. */
  config_toml?: string;
  /** Lines of the rollout that the conversation resumes. */
  resume_lines?: unknown[];
  /** Files of the workspace. */
  files?: Record<string, string>;
  steps?: ScenarioStep[];
  /** Answers of the model, request by request. */
  model_turns?: unknown[];
}

/** One thing that is done; the steps of a scenario follow each other. */
export interface ScenarioStep {
  op?: Record<string, unknown>;
  /** The events that are awaited then, one after the other. */
  wait?: string | string[];
  /** Ends the engine and resumes the same conversation in another. */
  resume?: boolean;
  /** Ends the engine and continues with a copy that ends before a user message. */
  fork?: { nth_user_message: number };
}

/** Settings: those with a special meaning here, and any of config.toml. */
export interface ScenarioConfig {
  auth?: { api_key?: string; chatgpt?: { access_token: string; account_id?: string } };
  /** Path between the address of the model and `/responses`. */
  base_url_suffix?: string;
  provider?: Record<string, unknown> & { base_url_suffix?: string };
  env?: Record<string, string>;
  base_instructions?: string;
  user_instructions?: string;
  include_plan_tool?: boolean;
  include_apply_patch_tool?: boolean;
  request_max_retries?: number;
  stream_max_retries?: number;
  stream_idle_timeout_ms?: number;
  [setting: string]: unknown;
}
