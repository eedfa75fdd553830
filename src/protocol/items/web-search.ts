import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../schema.js";

export const SearchAction = Type.Object(
  {
    type: Type.Literal("search"),
    query: Nullish(Type.String(), { description: "Search query." }),
    queries: Nullish(Type.Array(Type.String()), { description: "All queries, if more than one." }),
  },
  { $id: "SearchAction", description: "A web search." },
);
export interface SearchAction extends Static<typeof SearchAction> {}

export const OpenPageAction = Type.Object(
  {
    type: Type.Literal("open_page"),
    url: Nullish(Type.String(), { description: "URL of the page." }),
  },
  { $id: "OpenPageAction", description: "A page was opened." },
);
export interface OpenPageAction extends Static<typeof OpenPageAction> {}

export const FindInPageAction = Type.Object(
  {
    type: Type.Literal("find_in_page"),
    url: Nullish(Type.String(), { description: "URL of the page." }),
    pattern: Nullish(Type.String(), { description: "Search pattern." }),
  },
  { $id: "FindInPageAction", description: "A search in a page." },
);
export interface FindInPageAction extends Static<typeof FindInPageAction> {}

export const OtherWebAction = Type.Object(
  { type: Type.Literal("other") },
  { $id: "OtherWebAction", description: "Any other action." },
);
export interface OtherWebAction extends Static<typeof OtherWebAction> {}

/** Web action of the model. */
export type WebSearchAction = SearchAction | OpenPageAction | FindInPageAction | OtherWebAction;
export const WebSearchAction = taggedUnion(
  "WebSearchAction",
  "type",
  [SearchAction, OpenPageAction, FindInPageAction, OtherWebAction],
  "Web action of the model.",
);

export const WebSearchCallItem = Type.Object(
  {
    type: Type.Literal("web_search_call"),
    id: Type.Optional(Type.String({ description: "Id assigned by the model." })),
    status: Nullish(Type.String(), { description: "Status." }),
    action: described(Type.Optional(WebSearchAction), "The action; absent until known."),
  },
  { $id: "WebSearchCallItem", description: "A call of the model's built-in web search." },
);
export interface WebSearchCallItem extends Static<typeof WebSearchCallItem> {}
