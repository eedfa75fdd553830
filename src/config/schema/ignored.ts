import Type, { type TOptional, type TUnknown } from "typebox";
import { type SettingFacts, setting } from "./setting.js";

/** Schema of a key of the reference without effect. */
export type Ignored = TOptional<TUnknown>;

/** Declares a key of a missing feature: reported unless it disables the feature. */
export function absent(): Ignored {
  return ignored([]);
}

/** Declares a key whose listed values match the actual behavior: reported with any other value. */
export function given(...values: readonly unknown[]): Ignored {
  return ignored(values);
}

/** Declares a key that no version uses any more, or that another program stores: never reported. */
export function retired(): Ignored {
  return ignored(true);
}

/** Declares several keys in the same way. */
export function each<const Name extends string>(
  names: readonly Name[],
  declare: () => Ignored,
): Record<Name, Ignored> {
  return Object.fromEntries(names.map((name) => [name, declare()])) as Record<Name, Ignored>;
}

function ignored(quiet: NonNullable<SettingFacts["ignored"]>): Ignored {
  return setting(Type.Unknown(), { text: "Has no effect.", since: "0.166", ignored: quiet });
}

/** Top-level keys without effect. */
export const ignoredKeys = {
  ...each(
    [
      "allow_symlinked_codex_home",
      "analytics",
      "apps",
      "apps_mcp_product_sku",
      "audio",
      "browser_use",
      "check_for_update_on_startup",
      "cloud",
      "computer_use",
      "daybreak",
      "experimental_realtime_start_instructions",
      "experimental_realtime_webrtc_call_base_url",
      "experimental_realtime_ws_backend_prompt",
      "experimental_realtime_ws_base_url",
      "experimental_realtime_ws_model",
      "experimental_realtime_ws_startup_context",
      "experimental_thread_store",
      "experimental_thread_store_endpoint",
      "feedback",
      "goals",
      "include_apps_instructions",
      "js_repl_node_module_dirs",
      "js_repl_node_path",
      "marketplaces",
      "mcp_enterprise_managed_auth",
      "mcp_oauth_callback_url",
      "mcp_optional_startup_grace_ms",
      "memories",
      "model_catalog_json",
      "model_post_turn_compact_threshold_percent",
      "orchestrator",
      "plan_mode_reasoning_effort",
      "plugins",
      "realtime",
      "responses_api_metadata",
      "sqlite_home",
      "tool_suggest",
      "windows",
    ],
    absent,
  ),
  ...each(["desktop", "windows_wsl_setup_acknowledged"], retired),
  allow_login_shell: given(true),
  background_terminal_max_timeout: given(300_000),
  include_collaboration_mode_instructions: given(true),
  include_environment_context: given(true),
  include_environment_context_time: given(true),
  include_permissions_instructions: given(true),
  model_auto_compact_token_limit_scope: given("total"),
  service_tier: given("auto", "default"),
  thread_unload_delay_secs: given(60),
};
