import Type, { type Static } from "typebox";
import { Mention, TextElement } from "../../items/input.js";
import { described, Nullish, since } from "../../schema.js";
import { itemPlace } from "./fields.js";
import { AsyncQuestion } from "./item.js";

export const AgentMessageEvent = Type.Object(
  {
    type: Type.Literal("agent_message"),
    message: Type.String({ description: "Full text." }),
    phase: since(
      "current",
      Nullish(Type.String(), {
        description: "Phase of the turn: `commentary` or `final_answer`, if the model reports it.",
      }),
    ),
    delivery: Type.Optional(
      Type.Literal("async", { description: "Set if the turn does not wait for an answer." }),
    ),
    questions: Type.Optional(Type.Array(AsyncQuestion, { description: "Questions to the user." })),
  },
  { $id: "AgentMessageEvent", description: "A complete agent message." },
);
export interface AgentMessageEvent extends Static<typeof AgentMessageEvent> {}

export const AgentMessageDeltaEvent = Type.Object(
  {
    type: Type.Literal("agent_message_delta"),
    delta: Type.String({ description: "Text to append." }),
  },
  { $id: "AgentMessageDeltaEvent", description: "The next part of an agent message." },
);
export interface AgentMessageDeltaEvent extends Static<typeof AgentMessageDeltaEvent> {}

export const AgentMessageContentDeltaEvent = Type.Object(
  {
    type: Type.Literal("agent_message_content_delta"),
    ...itemPlace,
    delta: Type.String({ description: "Text to append." }),
  },
  {
    $id: "AgentMessageContentDeltaEvent",
    description: "The next part of an agent message, with its item.",
  },
);
export interface AgentMessageContentDeltaEvent
  extends Static<typeof AgentMessageContentDeltaEvent> {}

export const UserMessageKind = Type.Enum(["plain", "user_instructions", "environment_context"], {
  $id: "UserMessageKind",
  description: "Origin of a user message: typed by the user, or added by the engine.",
});
/** Origin of a user message. */
export type UserMessageKind = Static<typeof UserMessageKind>;

export const UserMessageEvent = Type.Object(
  {
    type: Type.Literal("user_message"),
    message: Type.String({ description: "Message text." }),
    kind: described(Type.Optional(UserMessageKind), "Origin of the message."),
    images: Nullish(Type.Array(Type.String()), { description: "Image URLs." }),
    local_images: Type.Optional(
      Type.Array(Type.String(), { description: "Paths of image files." }),
    ),
    text_elements: Type.Optional(
      Type.Array(TextElement, { description: "Parts that the UI renders specially." }),
    ),
    mentions: Type.Optional(
      Type.Array(Mention, { description: "Skills, apps and files that the user selected." }),
    ),
    client_id: since(
      "0.166",
      Type.Optional(Type.String({ description: "The client's own id of the message." })),
    ),
  },
  { $id: "UserMessageEvent", description: "A user message sent to the model." },
);
export interface UserMessageEvent extends Static<typeof UserMessageEvent> {
  mentions?: Mention[];
}
