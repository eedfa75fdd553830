import type { HookSource } from "../../protocol/hook-source.js";
import { lineOfItem } from "../layers/hook-sources.js";
import type { RequirementsToml } from "../schema/requirements.js";

/** The part of the requirements that concerns hooks. */
export interface HookLimits {
  values: Pick<RequirementsToml, "hooks" | "allow_managed_hooks_only" | "on_failure">;
  file: string;
  text: string;
}

/** Keys of `hooks` that are no events. */
const folderKeys = ["managed_dir", "windows_managed_dir"];

/** Returns mistakes in `hooks`, besides those of the hooks themselves. */
export function hookProblems({
  hooks = {},
}: RequirementsToml): { path: string[]; reason: string }[] {
  return folderKeys.flatMap((key) => {
    const value = hooks[key];
    if (value === undefined || typeof value === "string") return [];
    return [{ path: ["hooks", key], reason: "must be the path of a folder" }];
  });
}

/** Returns the hooks of requirements.toml as a source, if it has any. */
export function requiredHooks({ values: { hooks }, file, text }: HookLimits): HookSource[] {
  if (hooks === undefined) return [];
  const { managed_dir: folder, windows_managed_dir: _, ...events } = hooks;
  if (Object.keys(events).length === 0) return [];
  return [
    {
      kind: "system",
      isManaged: true,
      // As in the reference; it is a part of the keys.
      path: typeof folder === "string" ? folder : file,
      file,
      content: { hooks: events },
      lineOf: (path) => lineOfItem(text, path),
    },
  ];
}

/** Applies the limits to the hooks of all files. */
export function limitHooks(sources: readonly HookSource[], limits: HookLimits): HookSource[] {
  const { allow_managed_hooks_only: onlyManaged, on_failure: choice } = limits.values;
  return [...requiredHooks(limits), ...sources]
    .filter(({ isManaged }) => isManaged || onlyManaged !== true)
    .map((source) => (choice === "deny" ? { ...source, onFailure: "deny" as const } : source));
}
