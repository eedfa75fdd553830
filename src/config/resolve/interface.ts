import { join } from "node:path";
import type { ConfigToml } from "../schema/config-toml.js";
import { defaults } from "../schema/defaults.generated.js";
import type { InterfaceConfig, ResolveContext, TuiConfig } from "./config.js";

/** User interface, history and login. */
export function resolveInterface(values: ConfigToml, context: ResolveContext): InterfaceConfig {
  const plain = defaults.ConfigToml;
  return {
    hide_agent_reasoning: values.hide_agent_reasoning ?? plain.hide_agent_reasoning,
    show_raw_agent_reasoning: values.show_raw_agent_reasoning ?? plain.show_raw_agent_reasoning,
    file_opener: values.file_opener ?? plain.file_opener,
    notify: values.notify,
    tui: resolveTui(values, context),
    disable_paste_burst: values.disable_paste_burst ?? plain.disable_paste_burst,
    history: {
      persistence: values.history?.persistence ?? defaults.HistoryToml.persistence,
      max_bytes: values.history?.max_bytes,
    },
    log_dir: values.log_dir ?? join(context.home, "log"),
    hide_full_access_warning: values.notice?.hide_full_access_warning ?? false,
    forced_login_method: values.forced_login_method,
    forced_chatgpt_workspace_id: values.forced_chatgpt_workspace_id?.trim() || undefined,
    cli_auth_credentials_store:
      values.cli_auth_credentials_store ?? plain.cli_auth_credentials_store,
  };
}

function resolveTui({ tui }: ConfigToml, { behavior }: ResolveContext): TuiConfig {
  return {
    experimental_mode: undefined,
    theme: undefined,
    status_line: undefined,
    ...defaults.TuiToml,
    notifications: behavior.notifications,
    ...tui,
  };
}
