import Type, { type Static } from "typebox";
import { Personality, ReasoningEffort, ReasoningSummary } from "../../config-types.js";
import { ApprovalsReviewer, AskForApproval, SandboxPolicy } from "../../policy.js";
import { described, Nullish, reference } from "../../schema.js";
import type { EventMsg } from "../events.generated.js";

export const HistoryEntry = Type.Object(
  {
    conversation_id: Type.String({ description: "The conversation it was written in." }),
    ts: Type.Integer({ description: "When, in Unix seconds." }),
    text: Type.String({ description: "What the user wrote." }),
  },
  { $id: "HistoryEntry", description: "An entry of the message history all sessions share." },
);
export interface HistoryEntry extends Static<typeof HistoryEntry> {}

export const SessionConfiguredEvent = Type.Object(
  {
    type: Type.Literal("session_configured"),
    session_id: Type.String({ description: "The conversation." }),
    model: Type.String({ description: "The model that is asked." }),
    reasoning_effort: Nullish(ReasoningEffort, { description: "How much it reasons." }),
    history_log_id: Type.Integer({ description: "Names the message history file; 0 if none." }),
    history_entry_count: Type.Integer({ description: "How many entries it has." }),
    initial_messages: Nullish(Type.Array(reference("EventMsg")), {
      description: "What happened before, when a conversation goes on; like other events.",
    }),
    rollout_path: Type.String({ description: "Where the conversation is recorded." }),
    model_provider_id: Type.Optional(Type.String({ description: "Where the model is reached." })),
    approval_policy: described(Type.Optional(AskForApproval), "When the user is asked."),
    approvals_reviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Who reviews approval requests.",
    ),
    sandbox_policy: described(Type.Optional(SandboxPolicy), "What commands may do."),
    cwd: Type.Optional(Type.String({ description: "Where commands run." })),
    reasoning_summary: described(
      Type.Optional(ReasoningSummary),
      "How much the model tells of its reasoning.",
    ),
    personality: described(Type.Optional(Personality), "The tone of its answers."),
    instruction_sources: Type.Optional(
      Type.Array(Type.String(), {
        description: "The files that the user's and the project's instructions are from.",
      }),
    ),
    forked_from_id: Type.Optional(Type.String({ description: "The conversation it began as." })),
    thread_name: Nullish(Type.String(), { description: "The name the user gave it." }),
  },
  { $id: "SessionConfiguredEvent", description: "The session is ready, with these settings." },
);
export interface SessionConfiguredEvent extends Static<typeof SessionConfiguredEvent> {
  initial_messages?: EventMsg[] | null;
}

export const ConversationPathEvent = Type.Object(
  {
    type: Type.Literal("conversation_path"),
    conversation_id: Type.String({ description: "The conversation." }),
    path: Type.String({ description: "Its rollout file, which is up to date." }),
  },
  { $id: "ConversationPathEvent", description: "Answers `get_path`." },
);
export interface ConversationPathEvent extends Static<typeof ConversationPathEvent> {}

export const GetHistoryEntryResponseEvent = Type.Object(
  {
    type: Type.Literal("get_history_entry_response"),
    offset: Type.Integer({ description: "The entry that was asked for." }),
    log_id: Type.Integer({ description: "The history it was asked of." }),
    entry: Nullish(HistoryEntry, { description: "The entry, if there is one." }),
  },
  { $id: "GetHistoryEntryResponseEvent", description: "Answers `get_history_entry_request`." },
);
export interface GetHistoryEntryResponseEvent extends Static<typeof GetHistoryEntryResponseEvent> {}

export const ThreadNameUpdatedEvent = Type.Object(
  {
    type: Type.Literal("thread_name_updated"),
    thread_id: Type.String({ description: "The thread." }),
    thread_name: Nullish(Type.String(), { description: "Its new name; absent when it has none." }),
  },
  { $id: "ThreadNameUpdatedEvent", description: "The thread got another name." },
);
export interface ThreadNameUpdatedEvent extends Static<typeof ThreadNameUpdatedEvent> {}

export const ContextCompactedEvent = Type.Object(
  { type: Type.Literal("context_compacted") },
  { $id: "ContextCompactedEvent", description: "The conversation was replaced by a summary." },
);
export interface ContextCompactedEvent extends Static<typeof ContextCompactedEvent> {}

export const ThreadRolledBackEvent = Type.Object(
  {
    type: Type.Literal("thread_rolled_back"),
    num_turns: Type.Integer({ description: "How many turns were taken back." }),
  },
  { $id: "ThreadRolledBackEvent", description: "The last turns were taken back." },
);
export interface ThreadRolledBackEvent extends Static<typeof ThreadRolledBackEvent> {}
