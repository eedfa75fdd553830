import Type, { type Static } from "typebox";
import { Nullable, Nullish } from "../../schema.js";
import { defineMethod } from "../declare.js";

// What the vendor's service has and this server has not: asked for a list, it has none.

const none = (description: string) => Type.Array(Type.Unknown(), { description });
const noCursor = Type.Null({ description: "Always null: there is nothing more." });

export const AbsentListParams = Type.Object(
  {
    cursor: Nullish(Type.String(), { description: "Where the page begins." }),
    limit: Nullish(Type.Integer(), { description: "How long the page is at most." }),
  },
  { $id: "AbsentListParams", description: "Which page of an empty list is asked for." },
);
export interface AbsentListParams extends Static<typeof AbsentListParams> {}

export const AbsentListResponse = Type.Object(
  { data: none("Always empty."), nextCursor: noCursor },
  { $id: "AbsentListResponse", description: "An empty list." },
);
export interface AbsentListResponse extends Static<typeof AbsentListResponse> {}

export const AppsInstalledResponse = Type.Object(
  { apps: none("Always empty: there are no apps.") },
  { $id: "AppsInstalledResponse", description: "Answers `app/installed`." },
);
export interface AppsInstalledResponse extends Static<typeof AppsInstalledResponse> {}

const marketplaces = {
  marketplaces: none("Always empty: there are no plugins."),
  marketplaceLoadErrors: none("Always empty."),
};

export const PluginListResponse = Type.Object(
  { ...marketplaces, featuredPluginIds: Type.Array(Type.String(), { description: "None." }) },
  { $id: "PluginListResponse", description: "Answers `plugin/list`." },
);
export interface PluginListResponse extends Static<typeof PluginListResponse> {}

export const PluginInstalledResponse = Type.Object(marketplaces, {
  $id: "PluginInstalledResponse",
  description: "Answers `plugin/installed`.",
});
export interface PluginInstalledResponse extends Static<typeof PluginInstalledResponse> {}

export const PluginShareListResponse = Type.Object(
  { data: none("Always empty: nothing is shared.") },
  { $id: "PluginShareListResponse", description: "Answers `plugin/share/list`." },
);
export interface PluginShareListResponse extends Static<typeof PluginShareListResponse> {}

export const GovCloudResponse = Type.Object(
  {
    isGovCloud: Type.Boolean({ description: "Whether the account is in such a cloud: no." }),
    shouldWarn: Type.Boolean({ description: "Whether the user is to be warned: no." }),
  },
  { $id: "GovCloudResponse", description: "Answers the question for another cloud." },
);
export interface GovCloudResponse extends Static<typeof GovCloudResponse> {}

export const WorkspaceMessagesResponse = Type.Object(
  {
    featureEnabled: Type.Boolean({ description: "Whether messages can come: no." }),
    messages: none("Always empty."),
  },
  { $id: "WorkspaceMessagesResponse", description: "Answers `account/workspaceMessages/read`." },
);
export interface WorkspaceMessagesResponse extends Static<typeof WorkspaceMessagesResponse> {}

export const GatewayOAuthReadResponse = Type.Object(
  {
    providerId: Type.String({ description: "Where the model is reached." }),
    providerName: Type.String({ description: "What that is called." }),
    required: Type.Boolean({ description: "Whether it needs a sign-in of its own: no." }),
    status: Type.Null({ description: "Always null: there is no such sign-in." }),
    error: Nullable(Type.String(), { description: "Always null." }),
  },
  { $id: "GatewayOAuthReadResponse", description: "Answers `account/gatewayOAuth/read`." },
);
export interface GatewayOAuthReadResponse extends Static<typeof GatewayOAuthReadResponse> {}

export const ExternalAgentDetectResponse = Type.Object(
  { items: none("Always empty: nothing is taken over."), connectors: none("Always empty.") },
  { $id: "ExternalAgentDetectResponse", description: "Answers `externalAgentConfig/detect`." },
);
export interface ExternalAgentDetectResponse extends Static<typeof ExternalAgentDetectResponse> {}

export const ExternalAgentHistoriesResponse = Type.Object(
  { data: none("Always empty: nothing was taken over."), connectors: none("Always empty.") },
  { $id: "ExternalAgentHistoriesResponse", description: "Answers what was taken over: nothing." },
);
export interface ExternalAgentHistoriesResponse
  extends Static<typeof ExternalAgentHistoriesResponse> {}

export const WindowsSandboxReadinessResponse = Type.Object(
  {
    status: Type.Enum(["notConfigured"], { description: "There is no sandbox for Windows." }),
  },
  { $id: "WindowsSandboxReadinessResponse", description: "Answers `windowsSandbox/readiness`." },
);
export interface WindowsSandboxReadinessResponse
  extends Static<typeof WindowsSandboxReadinessResponse> {}

export const MemoryStatusResponse = Type.Object(
  {
    v2ConsolidatedThreads: Type.Integer({ description: "Always 0: there are no memories." }),
    v2Ready: Type.Boolean({ description: "Always false." }),
  },
  { $id: "MemoryStatusResponse", description: "Answers `memory/status`." },
);
export interface MemoryStatusResponse extends Static<typeof MemoryStatusResponse> {}

export const absentMethods = [
  defineMethod({
    name: "app/list",
    summary: "Lists available apps. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: AbsentListResponse,
  }),
  defineMethod({
    name: "threadSection/list",
    summary: "Lists thread sections. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: AbsentListResponse,
  }),
  defineMethod({
    name: "project/list",
    summary: "Lists projects. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: AbsentListResponse,
  }),
  defineMethod({
    name: "thread/attachment/list",
    summary: "Lists attachments of a thread. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: AbsentListResponse,
  }),
  defineMethod({
    name: "thread/attachmentOwner/list",
    summary: "Lists owners of attachments. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: AbsentListResponse,
  }),
  defineMethod({
    name: "app/installed",
    summary: "Lists installed apps. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: AppsInstalledResponse,
  }),
  defineMethod({
    name: "plugin/list",
    summary: "Lists plugins by marketplace. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: PluginListResponse,
  }),
  defineMethod({
    name: "plugin/installed",
    summary: "Lists installed plugins. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: PluginInstalledResponse,
  }),
  defineMethod({
    name: "plugin/share/list",
    summary: "Lists shared plugins. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: PluginShareListResponse,
  }),
  defineMethod({
    name: "account/bedrock/checkGovCloudRequirements",
    summary: "Checks for government cloud requirements. Always negative here.",
    scope: "server",
    params: AbsentListParams,
    result: GovCloudResponse,
  }),
  defineMethod({
    name: "account/workspaceMessages/read",
    summary: "Returns messages to the workspace. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: WorkspaceMessagesResponse,
  }),
  defineMethod({
    name: "account/gatewayOAuth/read",
    summary: "Returns the gateway sign-in of the model provider. Never required here.",
    scope: "server",
    params: AbsentListParams,
    result: GatewayOAuthReadResponse,
  }),
  defineMethod({
    name: "externalAgentConfig/detect",
    summary: "Detects settings of other agents to import. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: ExternalAgentDetectResponse,
  }),
  defineMethod({
    name: "externalAgentConfig/import/readHistories",
    summary: "Lists imported histories of other agents. Always empty here.",
    scope: "server",
    params: AbsentListParams,
    result: ExternalAgentHistoriesResponse,
  }),
  defineMethod({
    name: "windowsSandbox/readiness",
    summary: "Returns the readiness of the Windows sandbox. Always `notConfigured` here.",
    scope: "server",
    params: AbsentListParams,
    result: WindowsSandboxReadinessResponse,
  }),
  defineMethod({
    name: "memory/status",
    summary: "Returns the state of memories. Memories are not supported.",
    scope: "server",
    params: AbsentListParams,
    result: MemoryStatusResponse,
  }),
];
