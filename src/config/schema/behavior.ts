import { defaults } from "./defaults.generated.js";

/** What differs in the settings from one version of the reference to another. */
export interface ConfigBehavior {
  /** The default model: the first row that the version's catalogue offers. */
  model: string;
  /** A trust level decides about policies that nobody has set. */
  trustSetsPolicies: boolean;
  /** The model for reviews when nobody has set one; absent: the one that works. */
  reviewModel: string | undefined;
  /** What a provider speaks that does not say so. */
  wireApi: "responses" | "chat";
  /** Whether the terminal notifies when nobody has said so. */
  notifications: boolean;
  /** Commands see variables with KEY, SECRET or TOKEN in their name unless the user says otherwise. */
  ignoreDefaultExcludes: boolean;
  /** A trusted project may choose a profile and add to it, as versions before 0.166 let it. */
  projectProfiles: boolean;
}

/** The versions settings can be read like, by month; `current` is our own and the safest. */
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
