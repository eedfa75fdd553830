import Type, { type Static } from "typebox";
import { onRequest } from "../../schema.js";
import { callId } from "./fields.js";

export const ToolCallFailedEvent = onRequest(
  "current",
  Type.Object(
    {
      type: Type.Literal("tool_call_failed"),
      call_id: callId,
      tool: Type.String({ description: "Name of the tool." }),
      message: Type.String({ description: "Reason, as the model got it." }),
    },
    {
      $id: "ToolCallFailedEvent",
      description:
        "A call of a tool failed before it had an effect, so no other event reports it: a patch that does not apply, or wrong arguments.",
    },
  ),
);
export interface ToolCallFailedEvent extends Static<typeof ToolCallFailedEvent> {}
