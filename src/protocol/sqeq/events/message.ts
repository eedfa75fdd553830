import Type, { type Static } from "typebox";
import { Mention, TextElement } from "../../items/input.js";
import { described, Nullish } from "../../schema.js";
import { itemPlace } from "./fields.js";

export const AgentMessageEvent = Type.Object(
  {
    type: Type.Literal("agent_message"),
    message: Type.String({ description: "The whole text." }),
    phase: Nullish(Type.String(), {
      description:
        "Where in the turn it stands: `commentary` or `final_answer`, if the model says.",
    }),
  },
  { $id: "AgentMessageEvent", description: "A message of the model, complete." },
);
export interface AgentMessageEvent extends Static<typeof AgentMessageEvent> {}

export const AgentMessageDeltaEvent = Type.Object(
  {
    type: Type.Literal("agent_message_delta"),
    delta: Type.String({ description: "The next piece of text." }),
  },
  { $id: "AgentMessageDeltaEvent", description: "The next piece of a message of the model." },
);
export interface AgentMessageDeltaEvent extends Static<typeof AgentMessageDeltaEvent> {}

export const AgentMessageContentDeltaEvent = Type.Object(
  {
    type: Type.Literal("agent_message_content_delta"),
    ...itemPlace,
    delta: Type.String({ description: "The next piece of text." }),
  },
  {
    $id: "AgentMessageContentDeltaEvent",
    description: "The next piece of a message, with the item it belongs to.",
  },
);
export interface AgentMessageContentDeltaEvent
  extends Static<typeof AgentMessageContentDeltaEvent> {}

export const UserMessageKind = Type.Enum(["plain", "user_instructions", "environment_context"], {
  $id: "UserMessageKind",
  description: "Whether the user wrote it, or the engine put it there.",
});
/** Whether the user wrote a message, or the engine put it there. */
export type UserMessageKind = Static<typeof UserMessageKind>;

export const UserMessageEvent = Type.Object(
  {
    type: Type.Literal("user_message"),
    message: Type.String({ description: "The text of the message." }),
    kind: described(Type.Optional(UserMessageKind), "Who it is from."),
    images: Nullish(Type.Array(Type.String()), { description: "URLs of its pictures." }),
    local_images: Type.Optional(
      Type.Array(Type.String(), { description: "Files of its pictures." }),
    ),
    text_elements: Type.Optional(
      Type.Array(TextElement, { description: "Parts that a UI shows in a special way." }),
    ),
    mentions: Type.Optional(
      Type.Array(Mention, { description: "Skills, apps and files that the user selected." }),
    ),
  },
  { $id: "UserMessageEvent", description: "A message that was given to the model." },
);
export interface UserMessageEvent extends Static<typeof UserMessageEvent> {
  mentions?: Mention[];
}
