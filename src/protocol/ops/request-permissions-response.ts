import Type, { type Static } from "typebox";
import { RequestPermissionsResponse } from "../permissions.js";
import { described } from "../schema.js";

export const RequestPermissionsResponseOp = Type.Object(
  {
    type: Type.Literal("request_permissions_response"),
    id: Type.String({ description: "The `call_id` of the request." }),
    response: described(RequestPermissionsResponse, "What is granted."),
  },
  { $id: "RequestPermissionsResponseOp", description: "Answers a `request_permissions` event." },
);
export interface RequestPermissionsResponseOp extends Static<typeof RequestPermissionsResponseOp> {}
