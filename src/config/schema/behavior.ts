import { defaults } from "./defaults.generated.js";

/** Differences of the config between versions of the reference. */
export interface ConfigBehavior {
  /** Default model: the first of the version's catalog. */
  model: string;
  /** The trust level determines policies that are not set. */
  trustSetsPolicies: boolean;
  /** Default model for reviews; undefined uses `model`. */
  reviewModel: string | undefined;
  /** Default `wire_api` of a provider. */
  wireApi: "responses" | "chat";
  /** Default of `tui.notifications`. */
  notifications: boolean;
  /** Default of `ignore_default_excludes`: true keeps variables with KEY, SECRET or TOKEN in their name. */
  ignoreDefaultExcludes: boolean;
  /** A trusted project may select a profile and add to it, as in versions before 0.166. */
  projectProfiles: boolean;
}

/** Names of dialects by month; `current` is our own and the safest. */
export type ConfigBehaviorName = "2025-09" | "2025-10" | "2026-02" | "2026-11" | "current";

const year2025: ConfigBehavior = {
  model: "gpt-5",
  trustSetsPolicies: false,
  reviewModel: "gpt-5",
  wireApi: "chat",
  notifications: false,
  ignoreDefaultExcludes: false,
  projectProfiles: false,
};

const year2026: ConfigBehavior = {
  model: "gpt-5.2-codex",
  trustSetsPolicies: true,
  reviewModel: undefined,
  wireApi: "responses",
  notifications: true,
  ignoreDefaultExcludes: true,
  projectProfiles: false,
};

/** Every behavior by its name. */
export const configBehaviors: Readonly<Record<ConfigBehaviorName, ConfigBehavior>> = {
  "2025-09": year2025,
  "2025-10": { ...year2025, model: "gpt-5-codex", reviewModel: "gpt-5-codex" },
  "2026-02": { ...year2026, projectProfiles: true },
  "2026-11": { ...year2026, model: "gpt-6.1-sol" },
  current: { ...year2026, model: defaults.ConfigToml.model, ignoreDefaultExcludes: false },
};
