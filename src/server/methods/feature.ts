import { featureFacts, featureNames, isFeatureOn } from "../../config/index.js";
import type { ExperimentalFeature } from "../../protocol/rpc/v2/feature.js";
import type { V2Handlers } from "../connection.js";
import { configFor } from "./config.js";
import { pageOf } from "./page.js";

/** Handlers that list feature flags and permission profiles. */
export const featureHandlers = {
  "experimentalFeature/list": async ({ threadId, ...page }, connection) => {
    const { features } = await configFor(connection, threadId);
    const all = featureNames().map((name) => toFeature(name, isFeatureOn(name, features)));
    return pageOf(all, page, "feature flags");
  },
  "permissionProfile/list": ({ cwd: _, ...page }) => pageOf(profiles, page, "profiles"),
} satisfies Partial<V2Handlers>;

/** Built-in profiles: one for each sandbox mode. */
const profiles = [":read-only", ":workspace", ":danger-full-access"].map((id) => ({
  id,
  description: null,
  allowed: true,
}));

function toFeature(name: string, enabled: boolean): ExperimentalFeature {
  const { hasEffect, defaultEnabled } = featureFacts(name);
  return {
    name,
    stage: hasEffect || defaultEnabled ? "stable" : "removed",
    displayName: null,
    description: null,
    announcement: null,
    enabled,
    defaultEnabled,
  };
}
