import Type, { type Static } from "typebox";

export const GetHistoryEntryRequestOp = Type.Object(
  {
    type: Type.Literal("get_history_entry_request"),
    offset: Type.Integer({ description: "Which entry, counted from 0." }),
    log_id: Type.Integer({ description: "The `history_log_id` of `session_configured`." }),
  },
  {
    $id: "GetHistoryEntryRequestOp",
    description:
      "Asks for one entry of the message history; answered by `get_history_entry_response`.",
  },
);
export interface GetHistoryEntryRequestOp extends Static<typeof GetHistoryEntryRequestOp> {}
