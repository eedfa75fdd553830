import Type, { type Static } from "typebox";
import { callId } from "./fields.js";

export const ViewImageToolCallEvent = Type.Object(
  {
    type: Type.Literal("view_image_tool_call"),
    call_id: callId,
    path: Type.String({ description: "The picture's file." }),
  },
  { $id: "ViewImageToolCallEvent", description: "The model looks at a picture." },
);
export interface ViewImageToolCallEvent extends Static<typeof ViewImageToolCallEvent> {}
