import { expect, test } from "vitest";
import { webSearchQuery } from "../../../src/rollout/index.js";

test("a web search is told in a few words", () => {
  expect([
    webSearchQuery({ type: "search", query: "a" }),
    webSearchQuery({ type: "search", queries: ["a", "b"] }),
    webSearchQuery({ type: "search" }),
    webSearchQuery({ type: "open_page", url: "u" }),
    webSearchQuery({ type: "find_in_page", pattern: "p", url: "u" }),
    webSearchQuery({ type: "find_in_page", pattern: "p" }),
    webSearchQuery({ type: "find_in_page", url: "u" }),
    webSearchQuery({ type: "other" }),
    webSearchQuery(undefined),
  ]).toEqual(["a", "a ...", "", "u", "'p' in u", "'p'", "u", "", ""]);
});
