import { findFeature } from "../feature-names.js";
import type { RequirementsToml } from "../schema/requirements.js";
import { isTable, newTable, putAt, type Table } from "../toml/table.js";

/** Settings with a fixed value. */
export interface FixedValues {
  values: RequirementsToml;
  /** Path of requirements.toml. */
  file: string;
  /** Fixed features, by current name. */
  features: ReadonlyMap<string, boolean>;
}

/** Returns the values that replace those of all layers. */
export function fixedTable({ values, features }: FixedValues): Table {
  const fixed = newTable();
  for (const key of exactKeys) if (values[key] !== undefined) fixed[key] = values[key];
  for (const [name, isOn] of features) {
    putAt(fixed, ["features", name], isOn);
    const others = isOn ? [] : (sameAsFeature[name] ?? []);
    for (const path of others) putAt(fixed, path, false);
  }
  return fixed;
}

/** Returns a message for each of some values that differs from a fixed one. */
export function contradictions(own: Table, { values, features, file }: FixedValues): string[] {
  const pins = [...features].map(([name, isOn]) => `${name}=${isOn}`).join(", ");
  const ofFeatures = Object.entries(isTable(own.features) ? own.features : {}).flatMap(
    ([key, value]) => {
      const required = features.get(findFeature(key) ?? key);
      if (required === undefined || value === required) return [];
      const asked = `\`features.${key}=${isTable(value) ? value.enabled : value}\``;
      if (isTable(value) && value.enabled === required) return [];
      return [
        `invalid value for \`features\`: ${asked} is not in the allowed set [${pins}] ` +
          `(set by ${file})`,
      ];
    },
  );
  const ofKeys = exactKeys.flatMap((key) => {
    const [value, required] = [own[key], values[key]];
    if (required === undefined || value === undefined || value === required) return [];
    return [
      `invalid value for \`${key}\`: ${JSON.stringify(value)} is not the required value ` +
        `${JSON.stringify(required)} (set by ${file})`,
    ];
  });
  return [...ofFeatures, ...ofKeys];
}

const exactKeys = ["cli_auth_credentials_store", "chatgpt_base_url", "log_dir"] as const;

/** Keys outside of `features` that enable the same thing. */
const sameAsFeature: Readonly<Record<string, readonly (readonly string[])[]>> = {
  view_image_tool: [["tools", "view_image"]],
  web_search_request: [["tools", "web_search"]],
  unified_exec: [["experimental_use_exec_command_tool"]],
};
