import { expect, test } from "vitest";
import { describeEffort, modelPresets } from "../../src/model/presets.js";
import * as check from "../../src/model/scripted/field-checks.js";

const catalogues = ["2025-09", "2025-10", "2026-02", "2026-11"] as const;

test.each(catalogues)(
  "the models offered in %s are distinct, and replaced only by known ones",
  (catalogue) => {
    const presets = modelPresets(catalogue);
    const models = presets.map((preset) => preset.id);

    expect(presets.some((preset) => !preset.hidden)).toBe(true);
    expect(new Set(models).size).toBe(models.length);
    expect(presets.every((one) => one.efforts.includes(one.defaultEffort))).toBe(true);
    for (const { upgrade } of presets) if (upgrade !== undefined) expect(models).toContain(upgrade);
  },
);

test("[terminal R8] an older model is described in plain words", () => {
  const older = modelPresets("2026-11").find(({ id }) => id === "gpt-5.6-sol");

  expect(older?.description).toBe("A model of the previous generation.");
});

test.each([
  ["text", check.text, ["", "a"], [1, null, []]],
  ["flag", check.flag, [true], [false, 1]],
  ["object", check.object, [{}], [[], null, "a"]],
  ["textMap", check.textMap, [{}, { a: "b" }], [{ a: 1 }, []]],
  ["texts", check.texts, [[], ["a"]], [[1], "a"]],
  ["textOrTexts", check.textOrTexts, ["a", ["a"]], [1, [1]]],
  ["textsOrCount", check.textsOrCount, [["a"], 3], [0, "a", 1.5]],
  ["milliseconds", check.milliseconds, [0, 1.5, 2 ** 31 - 1], [-1, 2 ** 31, "1"]],
  ["count", check.count, [0, 7], [-1, 0.5, "1"]],
  ["httpStatus", check.httpStatus, [200, 599], [199, 600, "200"]],
] as const)("a field of %s accepts only such values", (_, fits, accepted, refused) => {
  expect(accepted.map((value) => fits(value))).toEqual(accepted.map(() => undefined));
  expect(refused.every((value) => typeof fits(value) === "string")).toBe(true);
});

test.each(["low", "medium", "high"])("the effort %s has a description", (effort) => {
  expect(describeEffort(effort).length).toBeGreaterThan(10);
});
