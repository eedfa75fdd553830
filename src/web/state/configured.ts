import { signal } from "@preact/signals";
import type { AppServerClient } from "../../client/index.js";

/** Settings of the config that a new thread starts with; unset ones are the server's choice. */
export interface ConfiguredSettings {
  model?: string;
  effort?: string;
  approvalPolicy?: string;
  /** As in the config, such as `workspace-write`. */
  sandbox?: string;
}

/** Settings of new threads in the server's folder. */
export const configured = signal<ConfiguredSettings>({});

/** Reads the settings of new threads. */
export async function loadConfigured(client: AppServerClient, cwd: string): Promise<void> {
  const { config } = await client.request("config/read", cwd === "" ? {} : { cwd });
  const text = (key: string) => {
    const value = (config as Readonly<Record<string, unknown>> | null)?.[key];
    return typeof value === "string" ? value : undefined;
  };
  const settings = {
    model: text("model"),
    effort: text("model_reasoning_effort"),
    approvalPolicy: text("approval_policy"),
    sandbox: text("sandbox_mode"),
  };
  configured.value = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  );
}
