import Type, { type Static } from "typebox";
import { allSince, Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { nextCursor, PageParams } from "./common.js";

const unsaid = (description: string) => Nullable(Type.String(), { description });

export const ExperimentalFeature = Type.Object(
  {
    name: Type.String({ description: "Key of `features` in config.toml." }),
    stage: Type.Enum(["beta", "underDevelopment", "stable", "deprecated", "removed"], {
      description: "Stage; `removed` features have no effect.",
    }),
    displayName: unsaid("Display name, for beta features."),
    description: unsaid("Description, for beta features."),
    announcement: unsaid("Announcement, for beta features."),
    enabled: Type.Boolean({ description: "True if enabled." }),
    defaultEnabled: Type.Boolean({
      description: "True if enabled by default.",
    }),
  },
  { $id: "ExperimentalFeature", description: "A feature flag." },
);
export interface ExperimentalFeature extends Static<typeof ExperimentalFeature> {}

export const ExperimentalFeatureListParams = Type.Object(
  {
    ...PageParams,
    threadId: Type.Optional(Type.String({ description: "Thread whose settings apply." })),
  },
  { $id: "ExperimentalFeatureListParams", description: "Params of `experimentalFeature/list`." },
);
export interface ExperimentalFeatureListParams
  extends Static<typeof ExperimentalFeatureListParams> {}

export const ExperimentalFeatureListResponse = Type.Object(
  { data: Type.Array(ExperimentalFeature, { description: "Feature flags." }), nextCursor },
  { $id: "ExperimentalFeatureListResponse", description: "Result of `experimentalFeature/list`." },
);
export interface ExperimentalFeatureListResponse
  extends Static<typeof ExperimentalFeatureListResponse> {}

export const ExperimentalFeatureEnablementSetParams = Type.Object(
  {
    enablement: Type.Record(Type.String(), Type.Boolean(), {
      description: "State by name. Names without an effect here are left out of the result.",
    }),
  },
  {
    $id: "ExperimentalFeatureEnablementSetParams",
    description: "Params of `experimentalFeature/enablement/set`.",
  },
);
export interface ExperimentalFeatureEnablementSetParams
  extends Static<typeof ExperimentalFeatureEnablementSetParams> {}

export const ExperimentalFeatureEnablementSetResponse = Type.Object(
  allSince("0.166", {
    enablement: Type.Record(Type.String(), Type.Boolean(), {
      description: "The switches of this request that have an effect.",
    }),
  }),
  {
    $id: "ExperimentalFeatureEnablementSetResponse",
    description: "Result of `experimentalFeature/enablement/set`.",
  },
);
export interface ExperimentalFeatureEnablementSetResponse
  extends Static<typeof ExperimentalFeatureEnablementSetResponse> {}

export const PermissionProfileSummary = Type.Object(
  {
    id: Type.String({ description: "Profile id." }),
    description: unsaid("Description."),
    allowed: Type.Boolean({ description: "True if it can be selected." }),
  },
  { $id: "PermissionProfileSummary", description: "A permission profile." },
);
export interface PermissionProfileSummary extends Static<typeof PermissionProfileSummary> {}

export const PermissionProfileListParams = Type.Object(
  {
    ...PageParams,
    cwd: Type.Optional(Type.String({ description: "Directory whose settings apply." })),
  },
  { $id: "PermissionProfileListParams", description: "Params of `permissionProfile/list`." },
);
export interface PermissionProfileListParams extends Static<typeof PermissionProfileListParams> {}

export const PermissionProfileListResponse = Type.Object(
  {
    data: Type.Array(PermissionProfileSummary, { description: "Permission profiles." }),
    nextCursor,
  },
  { $id: "PermissionProfileListResponse", description: "Result of `permissionProfile/list`." },
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
    name: "experimentalFeature/enablement/set",
    summary:
      "Switches features that neither a file nor an option sets, for threads that start later. Lost when the server ends.",
    scope: "server",
    params: ExperimentalFeatureEnablementSetParams,
    result: ExperimentalFeatureEnablementSetResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "permissionProfile/list",
    summary: "Lists the permission profiles.",
    scope: "server",
    params: PermissionProfileListParams,
    result: PermissionProfileListResponse,
    since: "0.166",
  }),
];
