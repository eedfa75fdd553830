import { failed, type Tool } from "./tool.js";

/** The web search built into models: they run it themselves and only tell of it. */
export const webSearch: Tool = {
  spec: { type: "web_search" },
  async run() {
    return failed("The model searches the web itself; there is nothing to call");
  },
};
