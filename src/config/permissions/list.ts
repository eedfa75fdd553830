import type { PermissionProfileSummary } from "../../protocol/rpc/v2/feature.js";
import { mergeLayers } from "../layers/layer.js";
import type { ReadLayers } from "../layers/read-layers.js";
import type { ProfileLimits } from "../requirements/permissions.js";
import { isTable } from "../toml/table.js";
import { builtInProfiles, type Profiles, resolveProfile } from "./resolve-profile.js";

/**
 * Lists the built-in profiles, then those of the files by name. One that the administrator does not
 * permit, or that has a mistake, is not allowed.
 */
export function listProfiles(
  { layers }: Pick<ReadLayers, "layers">,
  limits: Pick<ProfileLimits, "profiles" | "refusedProfile"> | undefined,
  places: { cwd: string; userHome: string },
): PermissionProfileSummary[] {
  const { permissions } = mergeLayers(layers);
  const own = (isTable(permissions) ? permissions : {}) as Profiles;
  const profiles = { ...own, ...limits?.profiles };
  const isPermitted = (name: string) => limits?.refusedProfile(name) === undefined;
  const context = { ...places, placeOf: () => "config", fileOf: () => undefined };
  const isAllowed = (name: string) => {
    if (name.startsWith(":") || !isPermitted(name)) return false;
    try {
      resolveProfile(name, profiles, context);
      return true;
    } catch {
      return false;
    }
  };
  return [
    ...Object.keys(builtInProfiles).map((id) => ({
      id,
      description: null,
      allowed: isPermitted(id),
    })),
    ...Object.keys(profiles)
      .toSorted()
      .map((id) => ({
        id,
        description: profiles[id]?.description ?? null,
        allowed: isAllowed(id),
      })),
  ];
}
