import { describe, expect, test } from "vitest";
import { featureFacts, featureNames, findFeature, isFeatureOn } from "../../src/config/index.js";

describe("features", () => {
  test("are listed once, by their current names", () => {
    const names = featureNames();

    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("unified_exec");
    expect(names).not.toContain("experimental_use_unified_exec_tool");
  });

  test.each([
    ["unified_exec", "unified_exec"],
    ["experimental_use_unified_exec_tool", "unified_exec"],
    ["web_search", "web_search_request"],
    ["nope", undefined],
    ["toString", undefined],
  ])("%s is found as %s", (name, feature) => {
    expect(findFeature(name)).toBe(feature);
  });

  test.each([
    ["shell_tool", { hasEffect: true, defaultEnabled: true }],
    ["unified_exec", { hasEffect: true, defaultEnabled: false }],
    ["steer", { hasEffect: false, defaultEnabled: true }],
    ["apps", { hasEffect: false, defaultEnabled: false }],
    ["nope", { hasEffect: true, defaultEnabled: false }],
  ])("%s has the facts %j", (name, facts) => {
    expect(featureFacts(name)).toEqual(facts);
  });

  test.each([
    ["unified_exec", true, true],
    ["unified_exec", false, false],
    ["steer", false, true],
    ["apps", true, false],
  ])("%s, set to %s, is on: %s", (name, value, isOn) => {
    expect(isFeatureOn(name, new Map([[name, value]]))).toBe(isOn);
  });
});
