import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { nextCursor, PageParams } from "./common.js";

const unsaid = (description: string) => Nullable(Type.String(), { description });

export const ExperimentalFeature = Type.Object(
  {
    name: Type.String({ description: "As `features` in config.toml names it." }),
    stage: Type.Enum(["beta", "underDevelopment", "stable", "deprecated", "removed"], {
      description: "How far it is; `removed`: it has no effect here.",
    }),
    displayName: unsaid("Its name for people, while it is being tried out."),
    description: unsaid("What it does, while it is being tried out."),
    announcement: unsaid("How it is announced, while it is being tried out."),
    enabled: Type.Boolean({ description: "Whether it is on." }),
    defaultEnabled: Type.Boolean({
      description: "Whether it is on unless someone says otherwise.",
    }),
  },
  { $id: "ExperimentalFeature", description: "Something that can be turned on or off." },
);
export interface ExperimentalFeature extends Static<typeof ExperimentalFeature> {}

export const ExperimentalFeatureListParams = Type.Object(
  {
    ...PageParams,
    threadId: Type.Optional(Type.String({ description: "The thread whose settings count." })),
  },
  { $id: "ExperimentalFeatureListParams", description: "Which features to list." },
);
export interface ExperimentalFeatureListParams
  extends Static<typeof ExperimentalFeatureListParams> {}

export const ExperimentalFeatureListResponse = Type.Object(
  { data: Type.Array(ExperimentalFeature, { description: "The features." }), nextCursor },
  { $id: "ExperimentalFeatureListResponse", description: "What can be turned on or off." },
);
export interface ExperimentalFeatureListResponse
  extends Static<typeof ExperimentalFeatureListResponse> {}

export const PermissionProfileSummary = Type.Object(
  {
    id: Type.String({ description: "As requests name it." }),
    description: unsaid("What it is, for people."),
    allowed: Type.Boolean({ description: "Whether it may be chosen." }),
  },
  { $id: "PermissionProfileSummary", description: "A set of things that commands may do." },
);
export interface PermissionProfileSummary extends Static<typeof PermissionProfileSummary> {}

export const PermissionProfileListParams = Type.Object(
  {
    ...PageParams,
    cwd: Type.Optional(Type.String({ description: "The folder whose settings count." })),
  },
  { $id: "PermissionProfileListParams", description: "Which profiles to list." },
);
export interface PermissionProfileListParams extends Static<typeof PermissionProfileListParams> {}

export const PermissionProfileListResponse = Type.Object(
  { data: Type.Array(PermissionProfileSummary, { description: "The profiles." }), nextCursor },
  { $id: "PermissionProfileListResponse", description: "What commands can be allowed to do." },
);
export interface PermissionProfileListResponse
  extends Static<typeof PermissionProfileListResponse> {}

export const featureMethods = [
  defineMethod({
    name: "experimentalFeature/list",
    summary: "Lists feature flags and their state.",
    scope: "server",
    params: ExperimentalFeatureListParams,
    result: ExperimentalFeatureListResponse,
  }),
  defineMethod({
    name: "permissionProfile/list",
    summary: "Lists the permission profiles.",
    scope: "server",
    params: PermissionProfileListParams,
    result: PermissionProfileListResponse,
  }),
];

const none = (description: string) => Type.Array(Type.Unknown(), { description });

export const HooksListParams = Type.Object(
  {
    cwds: Type.Optional(
      Type.Array(Type.String(), { description: "The folders; that of the server if none." }),
    ),
    threadId: Type.Optional(
      Type.String({ description: "The thread whose folder counts, instead of `cwds`." }),
    ),
  },
  { $id: "HooksListParams", description: "Where hooks are looked for." },
);
export interface HooksListParams extends Static<typeof HooksListParams> {}

export const HooksListEntry = Type.Object(
  {
    cwd: Type.String({ description: "The folder." }),
    hooks: none("Always empty: there are no hooks."),
    warnings: Type.Array(Type.String(), { description: "What the user should know of them." }),
    errors: none("Always empty."),
  },
  { $id: "HooksListEntry", description: "The hooks of a folder." },
);
export interface HooksListEntry extends Static<typeof HooksListEntry> {}

export const HooksListResponse = Type.Object(
  { data: Type.Array(HooksListEntry, { description: "By folder." }) },
  { $id: "HooksListResponse", description: "Answers `hooks/list`." },
);
export interface HooksListResponse extends Static<typeof HooksListResponse> {}

export const hooksMethods = [
  defineMethod({
    name: "hooks/list",
    summary: "Lists configured hooks. Always empty here.",
    scope: "server",
    params: HooksListParams,
    result: HooksListResponse,
  }),
];
