import { failed, type Tool } from "./tool.js";

/** Form of web search: unspecified, live, or cached pages. */
export type WebSearchForm = "plain" | "live" | "cached";

/** The web search built into models; they run it themselves and only report it. */
export function webSearch(form: WebSearchForm, { pictures = false } = {}): Tool {
  const found = pictures ? { search_content_types: ["text", "image"] } : {};
  return {
    spec:
      form === "plain"
        ? { type: "web_search" }
        : { type: "web_search", external_web_access: form === "live", ...found },
    async run() {
      return failed("The model searches the web itself; there is nothing to call");
    },
  };
}
