import Type, { type Static } from "typebox";
import { allSince, described, Nullable, Nullish } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { EmptyResponse, nextCursor, PageParams } from "./common.js";

const sectionId = Type.String({ description: "Section id." });

export const ThreadSectionAppearance = Type.Object(
  allSince("0.166", {
    icon: Nullish(Type.String(), { description: "Icon, for clients to interpret." }),
    color: Nullish(Type.String(), { description: "Color, for clients to interpret." }),
  }),
  { $id: "ThreadSectionAppearance", description: "Appearance of a section." },
);
export interface ThreadSectionAppearance extends Static<typeof ThreadSectionAppearance> {}

export const ThreadSection = Type.Object(
  allSince("0.166", {
    id: sectionId,
    name: Type.String({ description: "Name." }),
    appearance: Nullable(ThreadSectionAppearance, { description: "Appearance." }),
  }),
  { $id: "ThreadSection", description: "A section: a group of threads in the user's order." },
);
export interface ThreadSection extends Static<typeof ThreadSection> {
  appearance: ThreadSectionAppearance | null;
}

export const ThreadSectionListParams = Type.Object(PageParams, {
  $id: "ThreadSectionListParams",
  description: "Params of `threadSection/list`.",
});
export interface ThreadSectionListParams extends Static<typeof ThreadSectionListParams> {}

export const ThreadSectionListResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadSection, { description: "Sections; the built-in `Pinned` is first." }),
    nextCursor,
  }),
  { $id: "ThreadSectionListResponse", description: "Result of `threadSection/list`." },
);
export interface ThreadSectionListResponse extends Static<typeof ThreadSectionListResponse> {
  data: ThreadSection[];
}

export const ThreadSectionCreateParams = Type.Object(
  {
    name: Type.String({ description: "Name; must not be blank." }),
    appearance: Nullish(ThreadSectionAppearance, { description: "Appearance." }),
  },
  { $id: "ThreadSectionCreateParams", description: "Params of `threadSection/create`." },
);
export interface ThreadSectionCreateParams extends Static<typeof ThreadSectionCreateParams> {}

export const ThreadSectionUpdateParams = Type.Object(
  {
    sectionId,
    name: Type.String({ description: "New name; must not be blank." }),
    appearance: Type.Optional(
      Nullable(ThreadSectionAppearance, {
        description: "New appearance; `null` removes it. Default: unchanged.",
      }),
    ),
  },
  { $id: "ThreadSectionUpdateParams", description: "Params of `threadSection/update`." },
);
export interface ThreadSectionUpdateParams extends Static<typeof ThreadSectionUpdateParams> {}

export const ThreadSectionResponse = Type.Object(
  allSince("0.166", { section: described(ThreadSection, "The section.") }),
  { $id: "ThreadSectionResponse", description: "Result with a section." },
);
export interface ThreadSectionResponse extends Static<typeof ThreadSectionResponse> {
  section: ThreadSection;
}

export const ThreadSectionDeleteParams = Type.Object(
  { sectionId },
  { $id: "ThreadSectionDeleteParams", description: "Params of `threadSection/delete`." },
);
export interface ThreadSectionDeleteParams extends Static<typeof ThreadSectionDeleteParams> {}

export const ThreadSectionMoveParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread id (UUID)." }),
    sectionId: Nullable(Type.String(), {
      description: "Section to move it to; `null` removes it from its section.",
    }),
    beforeThreadId: Nullish(Type.String(), {
      description: "Thread of the section to insert it before. Default: the end.",
    }),
  },
  { $id: "ThreadSectionMoveParams", description: "Params of `thread/section/move`." },
);
export interface ThreadSectionMoveParams extends Static<typeof ThreadSectionMoveParams> {}

export const sectionMethods = [
  defineMethod({
    name: "threadSection/list",
    summary: "Lists the sections of threads.",
    scope: "server",
    params: ThreadSectionListParams,
    result: ThreadSectionListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "threadSection/create",
    summary: "Creates a section.",
    scope: "server",
    params: ThreadSectionCreateParams,
    result: ThreadSectionResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "threadSection/update",
    summary: "Renames a section or changes its appearance.",
    scope: "server",
    params: ThreadSectionUpdateParams,
    result: ThreadSectionResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "threadSection/delete",
    summary: "Deletes a section. Its threads stay.",
    scope: "server",
    params: ThreadSectionDeleteParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/section/move",
    summary: "Moves a thread to a section, within it, or out of it.",
    scope: "thread",
    params: ThreadSectionMoveParams,
    result: EmptyResponse,
    since: "0.166",
  }),
];
