import type { ModelAuth, ModelProvider } from "./types.js";

const openaiBase = "https://api.openai.com/v1";
const chatgptBase = "https://chatgpt.com/backend-api/codex";

/** Where a request goes; the default server depends on how the user is logged in. */
export function requestUrl(provider: ModelProvider, auth: ModelAuth | undefined): string {
  const base = provider.base_url ?? (auth?.kind === "chatgpt" ? chatgptBase : openaiBase);
  return `${base.replace(/\/+$/, "")}/responses${queryOf(provider)}`;
}

/** Whether the provider is an Azure one, which wants item ids and stored responses. */
export function isAzure(provider: Pick<ModelProvider, "name" | "wire_api" | "base_url">): boolean {
  if (provider.wire_api !== "responses") return false;
  if (provider.name.toLowerCase() === "azure") return true;
  const base = provider.base_url?.toLowerCase() ?? "";
  return azureMarks.some((mark) => base.includes(mark));
}

const azureMarks = [
  "openai.azure.",
  "cognitiveservices.azure.",
  "aoai.azure.",
  "azure-api.",
  "azurefd.",
  "windows.net/openai",
];

/** Parameters are written as they are: users paste them escaped already. */
function queryOf({ query_params }: ModelProvider): string {
  const pairs = Object.entries(query_params ?? {});
  return pairs.length === 0 ? "" : `?${pairs.map(([key, value]) => `${key}=${value}`).join("&")}`;
}
