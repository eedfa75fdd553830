import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

export const ReasoningEffort = Type.Enum(
  ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"],
  {
    $id: "ReasoningEffort",
    description: "How much the model reasons before it answers; `medium` is the usual value.",
  },
);
/** How much the model reasons before it answers. */
export type ReasoningEffort = Static<typeof ReasoningEffort>;

export const ReasoningSummary = Type.Enum(["auto", "concise", "detailed", "none"], {
  $id: "ReasoningSummary",
  description: "How much of its reasoning the model tells; `none` turns summaries off.",
});
/** How much of its reasoning the model tells. */
export type ReasoningSummary = Static<typeof ReasoningSummary>;

export const Verbosity = Type.Enum(["low", "medium", "high"], {
  $id: "Verbosity",
  description: "How long the answers of the model are.",
});
/** How long the answers of the model are. */
export type Verbosity = Static<typeof Verbosity>;

export const SandboxMode = Type.Enum(["read-only", "workspace-write", "danger-full-access"], {
  $id: "SandboxMode",
  description: "What commands may do: only read, write in the workspace, or everything.",
});
/** What commands may do, in one word. */
export type SandboxMode = Static<typeof SandboxMode>;

export const Personality = Type.Enum(["none", "friendly", "pragmatic"], {
  $id: "Personality",
  description: "The tone in which the model speaks to the user.",
});
/** The tone in which the model speaks to the user. */
export type Personality = Static<typeof Personality>;

export const CollaborationModeKind = Type.Enum(["default", "plan"], {
  $id: "CollaborationModeKind",
  description: "Whether the model works on the task (`default`) or only plans it (`plan`).",
});
/** Whether the model works on the task or only plans it. */
export type CollaborationModeKind = Static<typeof CollaborationModeKind>;

export const CollaborationSettings = Type.Object(
  {
    model: Type.Optional(Type.String({ description: "The model used in this mode." })),
    reasoning_effort: Nullish(ReasoningEffort, {
      description: "The reasoning effort in this mode.",
    }),
    developer_instructions: Nullish(Type.String(), {
      description: "Instructions that hold while the mode lasts.",
    }),
  },
  { $id: "CollaborationSettings", description: "What a collaboration mode changes." },
);
export interface CollaborationSettings extends Static<typeof CollaborationSettings> {}

export const CollaborationMode = Type.Object(
  {
    mode: described(CollaborationModeKind, "The mode to work in."),
    settings: described(Type.Optional(CollaborationSettings), "What the mode changes."),
  },
  { $id: "CollaborationMode", description: "How the user and the model work together." },
);
export interface CollaborationMode extends Static<typeof CollaborationMode> {}

/**
 * Connection and retry settings of a model provider; one entry of `model_providers`.
 *
 * @internal
 */
export interface ModelProvider {
  id: string;
  name: string;
  base_url?: string;
  env_key?: string;
  env_key_instructions?: string;
  wire_api: "responses" | "chat";
  query_params?: Record<string, string>;
  http_headers?: Record<string, string>;
  env_http_headers?: Record<string, string>;
  request_max_retries: number;
  stream_max_retries: number;
  stream_idle_timeout_ms: number;
  requires_openai_auth: boolean;
  /** The provider stores responses: a request names the previous one instead of repeating it. */
  store: boolean;
}
