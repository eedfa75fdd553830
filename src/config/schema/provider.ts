import Type, { type Static } from "typebox";
import { absent, each } from "./ignored.js";
import { Count, setting, Texts } from "./setting.js";

export const ProviderToml = Type.Object(
  {
    name: setting(Type.String(), {
      text: "What the user is shown; the id when absent.",
    }),
    base_url: setting(Type.String(), {
      text: "Where requests go, without `/responses` or `/chat/completions`; OpenAI's server by default.",
    }),
    env_key: setting(Type.String(), {
      text: "The environment variable with the key.",
    }),
    env_key_instructions: setting(Type.String(), {
      text: "What the user is told when that variable is not set.",
    }),
    experimental_bearer_token: setting(Type.String(), {
      text: "The key itself, for programs that write this file. Prefer `env_key`.",
      since: "0.98",
    }),
    wire_api: setting(Type.Enum(["responses", "chat"]), {
      text: "The API of the server: `responses` (Responses API) or `chat` (Chat Completions).",
      default: "responses",
    }),
    query_params: setting(Texts, {
      text: "What is added to the address of each request, already escaped.",
    }),
    http_headers: setting(Texts, { text: "Headers of each request." }),
    env_http_headers: setting(Texts, {
      text: "Headers whose value stands in an environment variable; left out when it is not set.",
    }),
    request_max_retries: setting(Count(), {
      text: "How often a failed request is made again; at most 100.",
      default: 4,
    }),
    stream_max_retries: setting(Count(), {
      text: "How often a broken answer is asked for again; at most 100.",
      default: 5,
    }),
    stream_idle_timeout_ms: setting(Count(), {
      text: "How long an answer may be silent before it counts as broken, in milliseconds.",
      default: 300_000,
    }),
    requires_openai_auth: setting(Type.Boolean(), {
      text: "Whether the user's OpenAI key or ChatGPT login is sent.",
      default: false,
    }),
    supports_websockets: setting(Type.Boolean(), {
      text: "Has no effect here.",
      since: "0.98",
      default: false,
      ignored: [],
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
        "websocket_connect_timeout_ms",
      ],
      absent,
    ),
    store: setting(Type.Boolean(), {
      text: "Whether the server keeps responses, so that a request names the last one instead of repeating all.",
      since: "quire",
      default: false,
    }),
  },
  { $id: "ProviderToml", description: "Where a model is asked, and how." },
);
export interface ProviderToml extends Static<typeof ProviderToml> {}

/** The user's own providers. */
export const providerKeys = {
  model_providers: setting(Type.Record(Type.String(), ProviderToml), {
    text: "Providers by id. Those that are built in (`openai`, `oss`, `ollama`, `lmstudio`) stay as they are.",
  }),
};
