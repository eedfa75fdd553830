import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

export const ReasoningEffort = Type.Enum(
  ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"],
  {
    $id: "ReasoningEffort",
    description: "Reasoning effort of the model. Default: `medium`.",
  },
);
/** Reasoning effort of the model. */
export type ReasoningEffort = Static<typeof ReasoningEffort>;

export const ReasoningSummary = Type.Enum(["auto", "concise", "detailed", "none"], {
  $id: "ReasoningSummary",
  description: "Detail of the reasoning summary; `none` disables it.",
});
/** Detail of the reasoning summary. */
export type ReasoningSummary = Static<typeof ReasoningSummary>;

export const Verbosity = Type.Enum(["low", "medium", "high"], {
  $id: "Verbosity",
  description: "Verbosity of the model's answers.",
});
/** Verbosity of the model's answers. */
export type Verbosity = Static<typeof Verbosity>;

export const SandboxMode = Type.Enum(["read-only", "workspace-write", "danger-full-access"], {
  $id: "SandboxMode",
  description: "Sandbox mode for commands: read only, write in the workspace, or unrestricted.",
});
/** Sandbox mode for commands. */
export type SandboxMode = Static<typeof SandboxMode>;

export const Personality = Type.Enum(["none", "friendly", "pragmatic"], {
  $id: "Personality",
  description: "Tone of the model's messages.",
});
/** Tone of the model's messages. */
export type Personality = Static<typeof Personality>;

export const CollaborationModeKind = Type.Enum(["default", "plan"], {
  $id: "CollaborationModeKind",
  description: "Collaboration mode: work on the task (`default`) or only plan it (`plan`).",
});
/** Collaboration mode. */
export type CollaborationModeKind = Static<typeof CollaborationModeKind>;

export const CollaborationSettings = Type.Object(
  {
    model: Type.Optional(Type.String({ description: "Model of this mode." })),
    reasoning_effort: Nullish(ReasoningEffort, {
      description: "Reasoning effort of this mode.",
    }),
    developer_instructions: Nullish(Type.String(), {
      description: "Developer instructions while the mode is active.",
    }),
  },
  { $id: "CollaborationSettings", description: "Settings of a collaboration mode." },
);
export interface CollaborationSettings extends Static<typeof CollaborationSettings> {}

export const CollaborationMode = Type.Object(
  {
    mode: described(CollaborationModeKind, "The mode."),
    settings: described(Type.Optional(CollaborationSettings), "Settings of the mode."),
  },
  { $id: "CollaborationMode", description: "A collaboration mode with its settings." },
);
export interface CollaborationMode extends Static<typeof CollaborationMode> {}

/**
 * Connection and retry settings of a model provider; one entry of `model_providers`.
 *
 * @internal
 */
export interface ModelProvider {
  /** The id in the settings. */
  id: string;
  /** The name for people. */
  name: string;
  /** Base URL of requests; the default depends on `wire_api` and the login. */
  base_url?: string;
  /** Environment variable with the API key. */
  env_key?: string;
  /** Message for the user if that variable is not set. */
  env_key_instructions?: string;
  /** The API that the provider speaks. */
  wire_api: "responses" | "chat" | "anthropic" | "gemini";
  /** Query parameters of each request, already escaped. */
  query_params?: Record<string, string>;
  /** Headers of each request. */
  http_headers?: Record<string, string>;
  /** Headers with values from environment variables. */
  env_http_headers?: Record<string, string>;
  /** Retries of a failed request. */
  request_max_retries: number;
  /** Retries of a broken response stream. */
  stream_max_retries: number;
  /** Idle timeout of a response stream in milliseconds. */
  stream_idle_timeout_ms: number;
  /** Sends the user's OpenAI key or ChatGPT login. */
  requires_openai_auth: boolean;
  /** The provider stores responses: a request names the previous one instead of repeating it. */
  store: boolean;
  /** Requests may be sent over a WebSocket. */
  supports_websockets?: boolean;
  /** Time for the server to accept a WebSocket, in milliseconds. */
  websocket_connect_timeout_ms?: number;
}
