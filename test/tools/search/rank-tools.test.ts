import { expect, test } from "vitest";
import type { FunctionToolSpec } from "../../../src/protocol/types.js";
import { rankTools } from "../../../src/tools/search/rank-tools.js";

function tool(name: string, description: string, parameters: string[] = []): FunctionToolSpec {
  const properties = Object.fromEntries(parameters.map((one) => [one, { type: "string" }]));
  const schema = { type: "object", properties };
  return { type: "function", name, description, strict: false, parameters: schema };
}

const mail = tool("send_mail", "Sends a message to somebody", ["recipient"]);
const list = tool("listFiles", "Lists a folder", ["path"]);
const weather = tool("forecast", "Weather of a city, weather of tomorrow", ["city"]);
const tools = [mail, list, weather];

const names = (query: string, limit = 8) =>
  rankTools(tools, query, limit).map((spec) => ("name" in spec ? spec.name : ""));

test.each([
  ["a word of the name", "mail", ["send_mail"]],
  ["a word of a name in camel case", "file", ["listFiles"]],
  ["a plural for a singular", "messages", ["send_mail"]],
  ["a parameter", "recipient", ["send_mail"]],
  ["the rarer word before the more frequent one", "a city", ["forecast", "listFiles", "send_mail"]],
  ["nothing for an unknown word", "zebra", []],
  ["nothing for an empty query", " ", []],
])("a search finds %s", (_, query, expected) => {
  expect(names(query)).toEqual(expected);
});

test("a limit leaves the best, and 0 leaves none", () => {
  expect(names("a city", 1)).toEqual(["forecast"]);
  expect(names("a city", 0)).toEqual([]);
  expect(names("a city", -1)).toEqual([]);
});

test("tools of a namespace are returned in it, marked as deferred", () => {
  const group = { type: "namespace" as const, name: "mcp__post", description: "Post.", tools };

  expect(rankTools([group], "weather", 8)).toEqual([
    { ...group, tools: [{ ...weather, defer_loading: true }] },
  ]);
});
