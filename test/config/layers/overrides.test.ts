import { describe, expect, test } from "vitest";
import { parseKeyPath, parseOverride, parseTomlValue } from "../../../src/config/index.js";

describe("key=value", () => {
  test.each([
    ["model=o3", ["model"], "o3"],
    [' model = "o3" ', ["model"], "o3"],
    ["a.b.c=[1, 2]", ["a", "b", "c"], [1, 2]],
    ["tools.web_search=true", ["tools", "web_search"], true],
    ["model='unclosed", ["model"], "unclosed"],
    ["model=a=b", ["model"], "a=b"],
    ["model=", ["model"], ""],
    ['projects."/a.b".trust_level=trusted', ["projects", "/a.b", "trust_level"], "trusted"],
    ["x={a = 1, b = 'c'}", ["x"], { a: 1, b: "c" }],
    ["big=9223372036854775807", ["big"], 9223372036854775807n],
  ])("%j is a path and a value", async (text, path, value) => {
    expect(await parseOverride(text)).toEqual({ path, value });
  });

  test.each(["model", "=x", " = x", "a..b=1", '"=1'])("%j is refused", async (text) => {
    await expect(parseOverride(text)).rejects.toMatchObject({ code: "config" });
  });
});

test("a value is TOML or nothing; it cannot bring more keys along", async () => {
  expect(await parseTomlValue("42")).toBe(42);
  expect(await parseTomlValue("hello")).toBeUndefined();
  expect(await parseTomlValue("1\nother = 2")).toBeUndefined();
});

test("paths have dots between names, and quotes keep them", () => {
  expect(parseKeyPath('profiles."my.team".model')).toEqual(["profiles", "my.team", "model"]);
  expect(parseKeyPath("mcp_servers.'a b'")).toEqual(["mcp_servers", "a b"]);
  expect(() => parseKeyPath("")).toThrow("Expected a key such as");
});
