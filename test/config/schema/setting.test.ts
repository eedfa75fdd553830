import { describe, expect, test } from "vitest";
import { fileShape } from "../../../src/config/check/shape.generated.js";
import { shapeAt } from "../../../src/config/check/shape.js";
import { ConfigToml, subjects } from "../../../src/config/schema/config-toml.js";
import { defaults } from "../../../src/config/schema/defaults.generated.js";
import { configFlags } from "../../../src/config/schema/flags.generated.js";
import { type SettingFacts, settingFacts } from "../../../src/config/schema/setting.js";

interface Schema {
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  [settingFacts]?: SettingFacts;
}

/** All keys of the file with their declarations. */
function declarations(schema: Schema, path: string[] = []): [string, SettingFacts][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const facts = value[settingFacts];
    const at = [...path, key];
    const inner = declarations(value, at);
    return facts === undefined
      ? inner
      : [[at.join("."), facts] as [string, SettingFacts], ...inner];
  });
  const parts = [...Object.values(schema.patternProperties ?? {}), ...(schema.anyOf ?? [])];
  const more = [...parts, ...(schema.items === undefined ? [] : [schema.items])];
  return [...own, ...more.flatMap((part) => declarations(part, [...path, "*"]))];
}

const all = declarations(ConfigToml as unknown as Schema);

describe("declarations of config keys", () => {
  test("have a description that starts with the thing and ends with a full stop", () => {
    const wrong = all.filter(
      ([, { text }]) =>
        !/^[A-Z`].*\.$/s.test(text) || /^(Whether|How|What|Who|Which|Where|When)\b/.test(text),
    );

    expect(wrong.map(([key, { text }]) => `${key}: ${text}`)).toEqual([]);
  });

  test("name aliases that exist", () => {
    for (const [key, { alias }] of all) {
      if (alias === undefined) continue;
      expect([key, shapeAt(fileShape, alias.split("."))]).not.toEqual([key, undefined]);
    }
  });

  test("with a default have it in the generated defaults", () => {
    for (const [key, { default: value }] of all) {
      if (value === undefined || key.includes(".")) continue;
      expect([key, defaults.ConfigToml[key as keyof typeof defaults.ConfigToml]]).toEqual([
        key,
        value,
      ]);
    }
  });

  test("with a flag have it in the generated options", () => {
    const flags = all.flatMap(([key, { flag }]) =>
      flag === undefined ? [] : [[typeof flag === "string" ? flag : flag.name, key]],
    );

    expect(Object.entries(configFlags).map(([name, { key }]) => [`--${name}`, key])).toEqual(flags);
  });

  test("belong to one subject each", () => {
    const keys = Object.values(subjects).flatMap((group) => Object.keys(group));

    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.sort()).toEqual(Object.keys(ConfigToml.properties).sort());
  });
});
