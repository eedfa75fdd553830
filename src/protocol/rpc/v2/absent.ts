import Type, { type Static } from "typebox";
import { Nullable, Nullish } from "../../schema.js";
import { declareMethod } from "../declare.js";

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

const list = (name: string, what: string) =>
  declareMethod(name, `Lists ${what}: none.`, AbsentListParams, AbsentListResponse);

export const absentMethods = [
  list("app/list", "apps of the vendor"),
  list("threadSection/list", "sections of threads"),
  list("project/list", "projects that threads are sorted into"),
  list("thread/attachment/list", "attachments of a thread"),
  list("thread/attachmentOwner/list", "owners of attachments"),
  declareMethod(
    "app/installed",
    "Lists the apps that are installed: none.",
    AbsentListParams,
    AppsInstalledResponse,
  ),
  declareMethod(
    "plugin/list",
    "Lists plugins by marketplace: none.",
    AbsentListParams,
    PluginListResponse,
  ),
  declareMethod(
    "plugin/installed",
    "Lists the plugins that are installed: none.",
    AbsentListParams,
    PluginInstalledResponse,
  ),
  declareMethod(
    "plugin/share/list",
    "Lists the plugins that are shared: none.",
    AbsentListParams,
    PluginShareListResponse,
  ),
  declareMethod(
    "account/bedrock/checkGovCloudRequirements",
    "Tells whether the account is in a cloud with rules of its own: no.",
    AbsentListParams,
    GovCloudResponse,
  ),
  declareMethod(
    "account/workspaceMessages/read",
    "Reads messages to the workspace of the account: none.",
    AbsentListParams,
    WorkspaceMessagesResponse,
  ),
  declareMethod(
    "account/gatewayOAuth/read",
    "Tells whether the model's provider needs a sign-in of its own: no.",
    AbsentListParams,
    GatewayOAuthReadResponse,
  ),
  declareMethod(
    "externalAgentConfig/detect",
    "Looks for settings of other agents to take over: none.",
    AbsentListParams,
    ExternalAgentDetectResponse,
  ),
  declareMethod(
    "externalAgentConfig/import/readHistories",
    "Lists what was taken over from other agents: nothing.",
    AbsentListParams,
    ExternalAgentHistoriesResponse,
  ),
  declareMethod(
    "windowsSandbox/readiness",
    "Tells whether the sandbox for Windows is set up: no.",
    AbsentListParams,
    WindowsSandboxReadinessResponse,
  ),
  declareMethod(
    "memory/status",
    "Tells how far memories are: there are none.",
    AbsentListParams,
    MemoryStatusResponse,
  ),
];
