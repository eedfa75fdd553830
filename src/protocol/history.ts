import Type, { type Static } from "typebox";

export const HistoryEntry = Type.Object(
  {
    conversation_id: Type.String({ description: "The conversation it was written in." }),
    ts: Type.Integer({ description: "When, in Unix seconds." }),
    text: Type.String({ description: "What the user wrote." }),
  },
  { $id: "HistoryEntry", description: "An entry of the message history all sessions share." },
);
export interface HistoryEntry extends Static<typeof HistoryEntry> {}
