import Type, { type Static } from "typebox";
import { described } from "../schema.js";

export const ElicitationAction = Type.Enum(["accept", "decline", "cancel"], {
  $id: "ElicitationAction",
  description: "What the user does about a question of an MCP server.",
});
/** What the user does about a question of an MCP server. */
export type ElicitationAction = Static<typeof ElicitationAction>;

export const ResolveElicitationOp = Type.Object(
  {
    type: Type.Literal("resolve_elicitation"),
    server_name: Type.String({ description: "The server that asked." }),
    request_id: Type.Union([Type.String(), Type.Number()], {
      description: "The `id` of the request.",
    }),
    decision: described(ElicitationAction, "What the user does."),
    content: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "What was filled in." }),
    ),
  },
  { $id: "ResolveElicitationOp", description: "Answers an `elicitation_request` event." },
);
export interface ResolveElicitationOp extends Static<typeof ResolveElicitationOp> {}
