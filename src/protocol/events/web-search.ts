import Type, { type Static } from "typebox";
import { WebSearchAction } from "../items/web-search.js";
import { described } from "../schema.js";
import { callId } from "./fields.js";

export const WebSearchBeginEvent = Type.Object(
  { type: Type.Literal("web_search_begin"), call_id: callId },
  { $id: "WebSearchBeginEvent", description: "The model searches the web." },
);
export interface WebSearchBeginEvent extends Static<typeof WebSearchBeginEvent> {}

export const WebSearchEndEvent = Type.Object(
  {
    type: Type.Literal("web_search_end"),
    call_id: callId,
    query: Type.String({ description: "What it searched for." }),
    action: described(Type.Optional(WebSearchAction), "What it did."),
  },
  { $id: "WebSearchEndEvent", description: "The model has searched the web." },
);
export interface WebSearchEndEvent extends Static<typeof WebSearchEndEvent> {}
