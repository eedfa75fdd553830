import { describe, expect, test } from "vitest";
import {
  type ConfigValues,
  toOverrides,
  unknownFeature,
} from "../../../src/cli/options/config-options.js";
import { sessionOptions } from "../../../src/cli/options/session-options.js";
import { flagValues } from "../../../src/cli/options/session-request.js";
import { configFlags } from "../../../src/config/schema/flags.generated.js";

/** Overrides of options that were given. */
function overrides(values: Partial<ConfigValues>) {
  return toOverrides(values as ConfigValues);
}

describe("overrides of the config", () => {
  test.each([
    [{}, []],
    [{ config: ["a=1"] }, [{ path: ["a"], value: 1 }]],
    [{ config: ["a.b = 'x'"] }, [{ path: ["a", "b"], value: "x" }]],
    [{ config: ["a=plain text"] }, [{ path: ["a"], value: "plain text" }]],
    [
      { config: ["a=[1, 2]", "a=3"] },
      [
        { path: ["a"], value: [1, 2] },
        { path: ["a"], value: 3 },
      ],
    ],
    [{ enable: ["unified_exec"] }, [{ path: ["features", "unified_exec"], value: true }]],
    [{ disable: ["web_search"] }, [{ path: ["features", "web_search_request"], value: false }]],
    [
      { config: ["a=1"], enable: ["steer"], disable: ["shell_tool"] },
      [
        { path: ["a"], value: 1 },
        { path: ["features", "steer"], value: true },
        { path: ["features", "shell_tool"], value: false },
      ],
    ],
  ])("of %j are %j", async (values, list) => {
    expect(await overrides(values)).toEqual(list);
  });

  test.each([
    [
      { enable: ["unified_exce"] },
      "Unknown feature flag: unified_exce. Did you mean unified_exec?",
    ],
    [{ disable: ["zzzzzzzz"] }, "Unknown feature flag: zzzzzzzz. See `quire features list`"],
    [{ config: ["novalue"] }, "Expected -c KEY=VALUE (got novalue)"],
    [{ config: ["=1"] }, "Expected -c KEY=VALUE (got =1): the key is empty"],
    [{ config: ["a..b=1"] }, "Expected a key such as `tui.theme` (got `a..b`)"],
  ])("of %j are rejected", async (values, message) => {
    await expect(overrides(values)).rejects.toThrow(message);
  });

  test("an unknown feature without a similar name has no hint", () => {
    expect(unknownFeature("x", ["unified_exec"])).toBe(
      "Unknown feature flag: x. See `quire features list`",
    );
  });
});

describe("options that config keys declare", () => {
  test("are options of sessions", () => {
    for (const name of Object.keys(configFlags)) expect(sessionOptions).toHaveProperty(name);
  });

  const flags = {
    "time-zone": { type: "string", key: "time_zone", help: "" },
    verbose: { type: "boolean", key: "tui.verbose", help: "" },
    count: { type: "string", key: "count", number: "integer", help: "" },
    ratio: { type: "string", key: "ratio", number: "number", help: "" },
    other: { type: "string", help: "" },
  } as const;

  test.each([
    [{}, []],
    [{ "time-zone": "UTC" }, [["time_zone", "UTC"]]],
    [{ verbose: true }, [["tui.verbose", true]]],
    [{ verbose: false, other: "x" }, []],
    [
      { count: "7", ratio: "0.5" },
      [
        ["count", 7],
        ["ratio", 0.5],
      ],
    ],
  ])("%j set %j", (values, set) => {
    expect(flagValues(values, flags)).toEqual(set);
  });

  test.each([
    [{ count: "1.5" }, 'Expected --count to be a whole number (got "1.5")'],
    [{ count: "" }, 'Expected --count to be a whole number (got "")'],
    [{ ratio: "half" }, 'Expected --ratio to be a number (got "half")'],
  ])("%j are rejected", (values, message) => {
    expect(() => flagValues(values, flags)).toThrow(message);
  });
});
