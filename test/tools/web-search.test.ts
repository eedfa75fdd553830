import { expect, test } from "vitest";
import { webSearch } from "../../src/tools/built-in.js";
import type { WebSearchForm } from "../../src/tools/define-tool.js";

test.each<[WebSearchForm, boolean, object]>([
  ["plain", false, { type: "web_search" }],
  ["plain", true, { type: "web_search" }],
  ["live", false, { type: "web_search", external_web_access: true }],
  ["cached", false, { type: "web_search", external_web_access: false }],
  [
    "live",
    true,
    { type: "web_search", external_web_access: true, search_content_types: ["text", "image"] },
  ],
])("the form %s with images: %s", (form, pictures, spec) => {
  expect(webSearch(form, { pictures }).spec).toEqual(spec);
});

test("a call that reaches the engine fails: models run the search themselves", async () => {
  expect((await webSearch("live").run({ text: "" }, {} as never)).success).toBe(false);
});
