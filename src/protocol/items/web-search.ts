import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../schema.js";

export const SearchAction = Type.Object(
  {
    type: Type.Literal("search"),
    query: Nullish(Type.String(), { description: "What was searched for." }),
    queries: Nullish(Type.Array(Type.String()), { description: "All queries, if several." }),
  },
  { $id: "SearchAction", description: "A search." },
);
export interface SearchAction extends Static<typeof SearchAction> {}

export const OpenPageAction = Type.Object(
  {
    type: Type.Literal("open_page"),
    url: Nullish(Type.String(), { description: "The page." }),
  },
  { $id: "OpenPageAction", description: "A page that was opened." },
);
export interface OpenPageAction extends Static<typeof OpenPageAction> {}

export const FindInPageAction = Type.Object(
  {
    type: Type.Literal("find_in_page"),
    url: Nullish(Type.String(), { description: "The page." }),
    pattern: Nullish(Type.String(), { description: "What was looked for in it." }),
  },
  { $id: "FindInPageAction", description: "A search inside a page." },
);
export interface FindInPageAction extends Static<typeof FindInPageAction> {}

export const OtherWebAction = Type.Object(
  { type: Type.Literal("other") },
  { $id: "OtherWebAction", description: "Anything else." },
);
export interface OtherWebAction extends Static<typeof OtherWebAction> {}

/** What the model did on the web. */
export type WebSearchAction = SearchAction | OpenPageAction | FindInPageAction | OtherWebAction;
export const WebSearchAction = taggedUnion(
  "WebSearchAction",
  "type",
  [SearchAction, OpenPageAction, FindInPageAction, OtherWebAction],
  "What the model did on the web.",
);

export const WebSearchCallItem = Type.Object(
  {
    type: Type.Literal("web_search_call"),
    id: Type.Optional(Type.String({ description: "The id the model gave it." })),
    status: Nullish(Type.String(), { description: "How far it has come." }),
    action: described(Type.Optional(WebSearchAction), "What it did; absent until it is known."),
  },
  { $id: "WebSearchCallItem", description: "The model used its built-in web search." },
);
export interface WebSearchCallItem extends Static<typeof WebSearchCallItem> {}
