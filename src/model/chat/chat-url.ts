import type { ModelProvider } from "../types.js";

const openaiBase = "https://api.openai.com/v1";

/** Where a request goes. Parameters are written as they are: users paste them escaped already. */
export function chatUrl({ base_url = openaiBase, query_params = {} }: ModelProvider): string {
  const pairs = Object.entries(query_params).map(([key, value]) => `${key}=${value}`);
  const query = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return `${base_url.replace(/\/+$/, "")}/chat/completions${query}`;
}
