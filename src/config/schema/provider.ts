import Type, { type Static } from "typebox";
import { absent, each } from "./ignored.js";
import { Count, setting, Texts } from "./setting.js";

export const ProviderToml = Type.Object(
  {
    name: setting(Type.String(), {
      text: "Display name. Default: the id.",
    }),
    base_url: setting(Type.String(), {
      text: "Base URL of requests, without `/responses`, `/chat/completions`, `/messages` or `/models`. Default: the one of `wire_api`'s vendor.",
    }),
    env_key: setting(Type.String(), {
      text: "Environment variable with the API key.",
    }),
    env_key_instructions: setting(Type.String(), {
      text: "Message for the user if that variable is not set.",
    }),
    experimental_bearer_token: setting(Type.String(), {
      text: "API key, for programs that write this file. Prefer `env_key`.",
      since: "0.98",
    }),
    wire_api: setting(Type.Enum(["responses", "chat", "anthropic", "gemini"]), {
      text: "API of the provider: `responses` (Responses API), `chat` (Chat Completions), `anthropic` (Messages API) or `gemini` (Gemini API).",
      default: "responses",
    }),
    query_params: setting(Texts, {
      text: "Query parameters of each request, already escaped.",
    }),
    http_headers: setting(Texts, { text: "Headers of each request." }),
    env_http_headers: setting(Texts, {
      text: "Headers with values from environment variables; omitted if the variable is not set.",
    }),
    request_max_retries: setting(Count(), {
      text: "Retries of a failed request, at most 100.",
      default: 4,
    }),
    stream_max_retries: setting(Count(), {
      text: "Retries of a broken response stream, at most 100.",
      default: 5,
    }),
    stream_idle_timeout_ms: setting(Count(), {
      text: "Idle timeout of a response stream in milliseconds.",
      default: 300_000,
    }),
    requires_openai_auth: setting(Type.Boolean(), {
      text: "Sends the user's OpenAI key or ChatGPT login.",
      default: false,
    }),
    supports_websockets: setting(Type.Boolean(), {
      text: "Sends requests of the Responses API over a WebSocket, which stays open for the conversation, with new items only. Plain HTTP is used if the server does not accept it.",
      since: "0.98",
      default: false,
    }),
    websocket_connect_timeout_ms: setting(Count(), {
      text: "Time for the server to accept a WebSocket in milliseconds.",
      since: "0.98",
      default: 15_000,
    }),
    ...each(
      [
        "auth",
        "aws",
        "capabilities",
        "credential_file",
        "gateway_oauth",
        "location",
        "model_catalog_url",
        "project_id",
        "supports_standalone_web_search",
      ],
      absent,
    ),
    store: setting(Type.Boolean(), {
      text: "Stores responses on the server, so that a request refers to the previous response instead of repeating the conversation.",
      since: "current",
      default: false,
    }),
  },
  { $id: "ProviderToml", description: "A model provider." },
);
export interface ProviderToml extends Static<typeof ProviderToml> {}

/** Model providers of the user. */
export const providerKeys = {
  model_providers: setting(Type.Record(Type.String(), ProviderToml), {
    text: "Model providers by id. Built-in ones (`openai`, `oss`, `ollama`, `lmstudio`) cannot be changed; `anthropic` and `gemini` are there unless you define them.",
  }),
};
