import Type, { type Static, type TSchema } from "typebox";
import { Personality, ReasoningEffort, ReasoningSummary } from "../../config-types.js";
import {
  ActivePermissionProfile,
  ApprovalsReviewer,
  AskForApproval,
  SandboxPolicy,
} from "../../policy.js";
import { described, Nullish, reference, since, until } from "../../schema.js";
import type { EventMsg } from "../events.generated.js";
import { RewindRecord } from "./rewind.js";

export const HistoryEntry = Type.Object(
  {
    conversation_id: Type.String({ description: "Conversation id." }),
    ts: Type.Integer({ description: "Time in Unix seconds." }),
    text: Type.String({ description: "Text of the user." }),
  },
  { $id: "HistoryEntry", description: "An entry of the message history that all sessions share." },
);
export interface HistoryEntry extends Static<typeof HistoryEntry> {}

/** A setting that our newest form reports elsewhere. */
const reported = <T extends TSchema>(schema: T): T => since("0.104", until("0.166", schema));

export const SessionConfiguredEvent = Type.Object(
  {
    type: Type.Literal("session_configured"),
    session_id: Type.String({ description: "Conversation id." }),
    model: Type.String({ description: "Model name." }),
    reasoning_effort: Nullish(ReasoningEffort, { description: "Reasoning effort." }),
    history_log_id: Type.Integer({ description: "Id of the message history file; 0 if none." }),
    history_entry_count: Type.Integer({ description: "Number of entries." }),
    initial_messages: Nullish(Type.Array(reference("EventMsg")), {
      description: "Replayed events of a resumed conversation.",
    }),
    rollout_path: Type.String({ description: "Path of the rollout file." }),
    model_provider_id: reported(Type.Optional(Type.String({ description: "Model provider id." }))),
    approval_policy: reported(described(Type.Optional(AskForApproval), "Approval policy.")),
    approvals_reviewer: reported(
      described(Type.Optional(ApprovalsReviewer), "Reviewer of approval requests."),
    ),
    sandbox_policy: reported(described(Type.Optional(SandboxPolicy), "Sandbox policy.")),
    active_permission_profile: since(
      "current",
      described(Type.Optional(ActivePermissionProfile), "Permission profile, if one is active."),
    ),
    cwd: reported(Type.Optional(Type.String({ description: "Working directory of commands." }))),
    reasoning_summary: reported(
      described(Type.Optional(ReasoningSummary), "Detail of the reasoning summary."),
    ),
    personality: reported(described(Type.Optional(Personality), "Personality of the model.")),
    instruction_sources: reported(
      Type.Optional(
        Type.Array(Type.String(), {
          description: "Files that the instructions were read from.",
        }),
      ),
    ),
    forked_from_id: Type.Optional(
      Type.String({ description: "Conversation that it was forked from." }),
    ),
    thread_name: Nullish(Type.String(), { description: "Thread name." }),
  },
  { $id: "SessionConfiguredEvent", description: "The session is configured." },
);
export interface SessionConfiguredEvent extends Static<typeof SessionConfiguredEvent> {
  initial_messages?: EventMsg[] | null;
}

export const ConversationPathEvent = Type.Object(
  {
    type: Type.Literal("conversation_path"),
    conversation_id: Type.String({ description: "Conversation id." }),
    path: Type.String({ description: "Path of the rollout file; all items have been written." }),
  },
  { $id: "ConversationPathEvent", description: "Response to `get_path`." },
);
export interface ConversationPathEvent extends Static<typeof ConversationPathEvent> {}

export const GetHistoryEntryResponseEvent = Type.Object(
  {
    type: Type.Literal("get_history_entry_response"),
    offset: Type.Integer({ description: "Requested entry." }),
    log_id: Type.Integer({ description: "Id of the message history file." }),
    entry: Nullish(HistoryEntry, { description: "The entry, if it exists." }),
  },
  { $id: "GetHistoryEntryResponseEvent", description: "Response to `get_history_entry_request`." },
);
export interface GetHistoryEntryResponseEvent extends Static<typeof GetHistoryEntryResponseEvent> {}

export const ThreadNameUpdatedEvent = Type.Object(
  {
    type: Type.Literal("thread_name_updated"),
    thread_id: Type.String({ description: "Thread id." }),
    thread_name: Nullish(Type.String(), {
      description: "New name; absent if the thread has none.",
    }),
  },
  { $id: "ThreadNameUpdatedEvent", description: "The thread name changed." },
);
export interface ThreadNameUpdatedEvent extends Static<typeof ThreadNameUpdatedEvent> {}

export const ContextCompactedEvent = Type.Object(
  { type: Type.Literal("context_compacted") },
  { $id: "ContextCompactedEvent", description: "The conversation was replaced with a summary." },
);
export interface ContextCompactedEvent extends Static<typeof ContextCompactedEvent> {}

export const ThreadRolledBackEvent = Type.Object(
  {
    type: Type.Literal("thread_rolled_back"),
    num_turns: Type.Integer({ description: "Number of removed turns." }),
    rewind: since(
      "current",
      described(Type.Optional(RewindRecord), "The rewind that removed them."),
    ),
  },
  { $id: "ThreadRolledBackEvent", description: "The last turns were removed." },
);
export interface ThreadRolledBackEvent extends Static<typeof ThreadRolledBackEvent> {}
