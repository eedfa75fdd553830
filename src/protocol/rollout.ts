import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "./config-types.js";
import { ResponseItem } from "./items/response.js";
import {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval,
  SandboxPolicy,
} from "./policy.js";
import { described, Nullish, taggedUnion } from "./schema.js";
import { EventMsg } from "./sqeq/events.generated.js";

export const GitInfo = Type.Object(
  {
    commit_hash: Nullish(Type.String(), { description: "Current commit." }),
    branch: Nullish(Type.String(), { description: "Current branch." }),
    repository_url: Nullish(Type.String(), { description: "URL of the remote repository." }),
  },
  { $id: "GitInfo", description: "State of the git repository when the session started." },
);
export interface GitInfo extends Static<typeof GitInfo> {}

const sessionMetaFields = {
  id: Type.String({ description: "Conversation id." }),
  timestamp: Type.String({ description: "Start time (RFC 3339)." }),
  cwd: Type.String({ description: "Initial working directory." }),
  originator: Type.String({ description: "Program that started it." }),
  cli_version: Type.String({ description: "Version of that program." }),
  instructions: Nullish(Type.String(), { description: "User instructions." }),
  source: Type.Optional(Type.Unknown({ description: "Kind of client that started it." })),
  model_provider: Nullish(Type.String(), { description: "Model provider." }),
  base_instructions: Type.Optional(
    Type.Unknown({ description: "Base instructions of the model." }),
  ),
  forked_from_id: Nullish(Type.String(), { description: "Conversation that it was forked from." }),
  dynamic_tools: Type.Optional(
    Type.Unknown({ description: "Dynamic tools, which the client runs." }),
  ),
};

export const SessionMeta = Type.Object(sessionMetaFields, {
  $id: "SessionMeta",
  description: "Metadata of a conversation.",
});
export interface SessionMeta extends Static<typeof SessionMeta> {}

export const SessionMetaLine = Type.Object(
  {
    ...sessionMetaFields,
    git: Nullish(GitInfo, { description: "Git repository, if any." }),
  },
  { $id: "SessionMetaLine", description: "First line of a rollout: metadata and git state." },
);
export interface SessionMetaLine extends Static<typeof SessionMetaLine> {}

export const CompactedItem = Type.Object(
  {
    message: Type.String({ description: "The summary." }),
    replacement_history: Nullish(Type.Array(ResponseItem), {
      description: "Items that replace the history, if recorded.",
    }),
    response_id: Nullish(Type.String(), {
      description: "Response that the conversation continues from, if a bookmark was given.",
    }),
    forked_from_id: Nullish(Type.String(), {
      description: "Conversation of that response, if it is a different one.",
    }),
  },
  { $id: "CompactedItem", description: "Replaces the history before it with a summary." },
);
export interface CompactedItem extends Static<typeof CompactedItem> {
  replacement_history?: ResponseItem[] | null;
}

export const TurnContextItem = Type.Object(
  {
    cwd: Type.String({ description: "Working directory of commands." }),
    approval_policy: described(AskForApproval, "Approval policy."),
    approvals_reviewer: Nullish(ApprovalsReviewer, {
      description: "Reviewer of approval requests.",
    }),
    sandbox_policy: described(SandboxPolicy, "Sandbox policy."),
    active_permission_profile: Nullish(ActivePermissionProfile, {
      description: "Permission profile, if one is active; a resume resolves it again by its name.",
    }),
    model: Type.String({ description: "Model name." }),
    effort: Nullish(ReasoningEffort, { description: "Reasoning effort." }),
    summary: described(ReasoningSummary, "Detail of the reasoning summary."),
    turn_id: Nullish(Type.String(), { description: "Turn id." }),
    personality: Nullish(Personality, { description: "Personality of the model." }),
    collaboration_mode: Nullish(CollaborationMode, { description: "Collaboration mode." }),
    response_id: Nullish(Type.String(), { description: "Response that the turn continued from." }),
  },
  { $id: "TurnContextItem", description: "Settings of a request to the model." },
);
export interface TurnContextItem extends Static<typeof TurnContextItem> {}

const timestamp = Type.String({ description: "Time of writing (RFC 3339)." });

export const SessionMetaRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("session_meta"),
    payload: described(SessionMetaLine, "Metadata of the conversation."),
  },
  { $id: "SessionMetaRolloutLine", description: "Metadata line; the first of a rollout." },
);
export interface SessionMetaRolloutLine extends Static<typeof SessionMetaRolloutLine> {}

export const ResponseItemRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("response_item"),
    payload: described(ResponseItem, "The item."),
  },
  { $id: "ResponseItemRolloutLine", description: "Line with an item of the model conversation." },
);
export interface ResponseItemRolloutLine extends Static<typeof ResponseItemRolloutLine> {
  payload: ResponseItem;
}

export const CompactedRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("compacted"),
    payload: described(CompactedItem, "The summary."),
  },
  { $id: "CompactedRolloutLine", description: "Replaces the history before it with a summary." },
);
export interface CompactedRolloutLine extends Static<typeof CompactedRolloutLine> {
  payload: CompactedItem;
}

export const TurnContextRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("turn_context"),
    payload: described(TurnContextItem, "Result of `config/read`."),
  },
  { $id: "TurnContextRolloutLine", description: "Settings of a request to the model." },
);
export interface TurnContextRolloutLine extends Static<typeof TurnContextRolloutLine> {}

export const EventMsgRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("event_msg"),
    payload: described(EventMsg, "The event."),
  },
  { $id: "EventMsgRolloutLine", description: "Line with an event that is replayed on resume." },
);
export interface EventMsgRolloutLine extends Static<typeof EventMsgRolloutLine> {
  payload: EventMsg;
}

/** Line of a rollout file. */
export type RolloutLine =
  | SessionMetaRolloutLine
  | ResponseItemRolloutLine
  | CompactedRolloutLine
  | TurnContextRolloutLine
  | EventMsgRolloutLine;
export const RolloutLine = taggedUnion(
  "RolloutLine",
  "type",
  [
    SessionMetaRolloutLine,
    ResponseItemRolloutLine,
    CompactedRolloutLine,
    TurnContextRolloutLine,
    EventMsgRolloutLine,
  ],
  "Line of a rollout file.",
);

/** Content of a rollout line, without its timestamp. */
export type RolloutItem =
  | Omit<SessionMetaRolloutLine, "timestamp">
  | Omit<ResponseItemRolloutLine, "timestamp">
  | Omit<CompactedRolloutLine, "timestamp">
  | Omit<TurnContextRolloutLine, "timestamp">
  | Omit<EventMsgRolloutLine, "timestamp">;

/** A resumed conversation, as read from its rollout file. */
export interface ResumedHistory {
  conversation_id: string;
  history: RolloutItem[];
  rollout_path: string;
}

/** Initial history of a session: empty, resumed, or forked. */
export type InitialHistory =
  | { type: "new" }
  | ({ type: "resumed" } & ResumedHistory)
  | { type: "forked"; history: RolloutItem[] };
