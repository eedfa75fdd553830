import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "./config-types.js";
import { ResponseItem } from "./items/response.js";
import { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "./policy.js";
import { described, Nullish, taggedUnion } from "./schema.js";
import { EventMsg } from "./sqeq/events.generated.js";

export const GitInfo = Type.Object(
  {
    commit_hash: Nullish(Type.String(), { description: "The commit the work tree is on." }),
    branch: Nullish(Type.String(), { description: "The branch it is on." }),
    repository_url: Nullish(Type.String(), { description: "Where it came from." }),
  },
  { $id: "GitInfo", description: "The state of the repository when the session began." },
);
export interface GitInfo extends Static<typeof GitInfo> {}

const sessionMetaFields = {
  id: Type.String({ description: "The conversation." }),
  timestamp: Type.String({ description: "When it began, as RFC 3339." }),
  cwd: Type.String({ description: "Where commands ran when it began." }),
  originator: Type.String({ description: "The program that began it." }),
  cli_version: Type.String({ description: "The version of that program." }),
  instructions: Nullish(Type.String(), { description: "The user's own instructions." }),
  source: Type.Optional(Type.Unknown({ description: "What kind of client began it." })),
  model_provider: Nullish(Type.String(), { description: "Where the model was reached." }),
  base_instructions: Type.Optional(
    Type.Unknown({ description: "The instructions the model was given." }),
  ),
  forked_from_id: Nullish(Type.String(), { description: "The conversation it began as." }),
  dynamic_tools: Type.Optional(
    Type.Unknown({ description: "The tools that the client runs itself, if it has any." }),
  ),
};

export const SessionMeta = Type.Object(sessionMetaFields, {
  $id: "SessionMeta",
  description: "How a conversation began.",
});
export interface SessionMeta extends Static<typeof SessionMeta> {}

export const SessionMetaLine = Type.Object(
  {
    ...sessionMetaFields,
    git: Nullish(GitInfo, { description: "The repository, if there was one." }),
  },
  { $id: "SessionMetaLine", description: "The first line of a rollout: how it began, and where." },
);
export interface SessionMetaLine extends Static<typeof SessionMetaLine> {}

export const CompactedItem = Type.Object(
  {
    message: Type.String({ description: "The summary." }),
    replacement_history: Nullish(Type.Array(ResponseItem), {
      description: "What the conversation is from here on, where that was recorded.",
    }),
    response_id: Nullish(Type.String(), {
      description: "The response that the conversation continues from, if a bookmark was given.",
    }),
    forked_from_id: Nullish(Type.String(), {
      description: "The conversation of that response, if it is another one.",
    }),
  },
  { $id: "CompactedItem", description: "All before it was replaced by a summary." },
);
export interface CompactedItem extends Static<typeof CompactedItem> {
  replacement_history?: ResponseItem[] | null;
}

export const TurnContextItem = Type.Object(
  {
    cwd: Type.String({ description: "Where commands run." }),
    approval_policy: described(AskForApproval, "When the user is asked."),
    approvals_reviewer: Nullish(ApprovalsReviewer, {
      description: "Who reviews approval requests.",
    }),
    sandbox_policy: described(SandboxPolicy, "What commands may do."),
    model: Type.String({ description: "The model that is asked." }),
    effort: Nullish(ReasoningEffort, { description: "How much it reasons." }),
    summary: described(ReasoningSummary, "How much it tells of its reasoning."),
    turn_id: Nullish(Type.String(), { description: "The turn." }),
    personality: Nullish(Personality, { description: "The tone of its answers." }),
    collaboration_mode: Nullish(CollaborationMode, { description: "Whether it works or plans." }),
    response_id: Nullish(Type.String(), { description: "The response the turn went on from." }),
  },
  { $id: "TurnContextItem", description: "The settings of a request to the model." },
);
export interface TurnContextItem extends Static<typeof TurnContextItem> {}

const timestamp = Type.String({ description: "When it was written, as RFC 3339." });

export const SessionMetaRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("session_meta"),
    payload: described(SessionMetaLine, "How the conversation began."),
  },
  { $id: "SessionMetaRolloutLine", description: "The line that begins a rollout." },
);
export interface SessionMetaRolloutLine extends Static<typeof SessionMetaRolloutLine> {}

export const ResponseItemRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("response_item"),
    payload: described(ResponseItem, "The item."),
  },
  { $id: "ResponseItemRolloutLine", description: "An item of the conversation with the model." },
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
  { $id: "CompactedRolloutLine", description: "All before it was replaced by a summary." },
);
export interface CompactedRolloutLine extends Static<typeof CompactedRolloutLine> {
  payload: CompactedItem;
}

export const TurnContextRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("turn_context"),
    payload: described(TurnContextItem, "The settings."),
  },
  { $id: "TurnContextRolloutLine", description: "The settings of a request to the model." },
);
export interface TurnContextRolloutLine extends Static<typeof TurnContextRolloutLine> {}

export const EventMsgRolloutLine = Type.Object(
  {
    timestamp,
    type: Type.Literal("event_msg"),
    payload: described(EventMsg, "The event."),
  },
  { $id: "EventMsgRolloutLine", description: "An event that a resumed session shows again." },
);
export interface EventMsgRolloutLine extends Static<typeof EventMsgRolloutLine> {
  payload: EventMsg;
}

/** A line of a rollout file. */
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
  "A line of a rollout file.",
);

/** What a rollout line holds, without the time it was written. */
export type RolloutItem =
  | Omit<SessionMetaRolloutLine, "timestamp">
  | Omit<ResponseItemRolloutLine, "timestamp">
  | Omit<CompactedRolloutLine, "timestamp">
  | Omit<TurnContextRolloutLine, "timestamp">
  | Omit<EventMsgRolloutLine, "timestamp">;

/** A conversation that goes on, as read from its rollout file. */
export interface ResumedHistory {
  conversation_id: string;
  history: RolloutItem[];
  rollout_path: string;
}

/** What a session begins with: nothing, a conversation that goes on, or a copy of one. */
export type InitialHistory =
  | { type: "new" }
  | ({ type: "resumed" } & ResumedHistory)
  | { type: "forked"; history: RolloutItem[] };
