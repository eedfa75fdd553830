import { resolve } from "node:path";
import {
  featureFacts,
  featureNames,
  findFeature,
  isFeatureOn,
  userHome,
} from "../../config/index.js";
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
  "experimentalFeature/enablement/set": ({ enablement }, { server: { parts } }) => {
    const known = Object.entries(enablement).flatMap(([name, isOn]) => {
      const current = findFeature(name);
      const hasEffect = current !== undefined && featureFacts(current).hasEffect;
      return hasEffect ? [[current, isOn] as const] : [];
    });
    const applied = Object.fromEntries(known);
    parts.switchFeatures(applied);
    return { enablement: applied };
  },
  "permissionProfile/list": async ({ cwd: folder = ".", ...page }, { server: { parts } }) => {
    const { listProfiles } = await import("../../config/permissions/list.js");
    const cwd = resolve(parts.cwd, folder);
    const layers = await parts.readConfigLayers(cwd);
    const places = { cwd, userHome: userHome(parts.env) };
    const profiles = listProfiles(layers, await parts.loadRequirements(), places);
    return pageOf(profiles, page, "permission profiles");
  },
} satisfies Partial<V2Handlers>;

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
