import { join } from "node:path";
import type { ReasoningEffort } from "../../protocol/types.js";
import { type Table, valueAt } from "../toml/table.js";
import { type ConfigEdit, type EditResult, editConfig } from "./edit-config.js";

/** The user's file, and the profile that is in use. */
export interface SettingsTarget {
  /** The folder of the user's settings. */
  home: string;
  /** The profile to write to; absent: the one that the file names, if any. */
  profile?: string | undefined;
}

/**
 * Changes settings of the user where they take effect: in the profile in use, if there is one.
 *
 * Paths that name a profile themselves are left as they are.
 */
export function editSettings(
  { home, profile }: SettingsTarget,
  edits: readonly ConfigEdit[],
): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), (values) => {
    const name = profile ?? profileOf(values);
    return name === undefined ? edits : edits.map((edit) => inProfile(edit, name));
  });
}

/** Remembers the model and effort for sessions to come; `undefined` takes a choice back. */
export function saveModel(
  target: SettingsTarget,
  choice: { model: string | undefined; effort: ReasoningEffort | undefined },
): Promise<EditResult> {
  return editSettings(target, [
    { path: ["model"], value: choice.model },
    { path: ["model_reasoning_effort"], value: choice.effort },
  ]);
}

function profileOf(values: Table): string | undefined {
  const name = valueAt(values, ["profile"]);
  return typeof name === "string" ? name : undefined;
}

function inProfile(edit: ConfigEdit, name: string): ConfigEdit {
  return edit.path[0] === "profiles" ? edit : { ...edit, path: ["profiles", name, ...edit.path] };
}
