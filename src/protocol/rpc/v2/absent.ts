import Type, { type Static } from "typebox";
import { allSince, Nullable, Nullish } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { ThreadParams } from "./thread.js";

// Features of the vendor's service that this server lacks: their lists are empty.

const none = (description: string) => Type.Array(Type.Unknown(), { description });
const noCursor = Type.Null({ description: "Always null." });

export const AbsentListParams = Type.Object(
  {
    cursor: Nullish(Type.String(), { description: "Cursor of the page." }),
    limit: Nullish(Type.Integer(), { description: "Maximum number of entries." }),
  },
  { $id: "AbsentListParams", description: "Page of a list that is always empty." },
);
export interface AbsentListParams extends Static<typeof AbsentListParams> {}

export const AbsentListResponse = Type.Object(
  { data: none("Always empty."), nextCursor: noCursor },
  { $id: "AbsentListResponse", description: "An empty list." },
);
export interface AbsentListResponse extends Static<typeof AbsentListResponse> {}

export const AppsInstalledResponse = Type.Object(
  { apps: none("Always empty.") },
  { $id: "AppsInstalledResponse", description: "Result of `app/installed`." },
);
export interface AppsInstalledResponse extends Static<typeof AppsInstalledResponse> {}

const marketplaces = {
  marketplaces: none("Always empty."),
  marketplaceLoadErrors: none("Always empty."),
};

export const PluginListResponse = Type.Object(
  { ...marketplaces, featuredPluginIds: Type.Array(Type.String(), { description: "None." }) },
  { $id: "PluginListResponse", description: "Result of `plugin/list`." },
);
export interface PluginListResponse extends Static<typeof PluginListResponse> {}

export const PluginInstalledResponse = Type.Object(marketplaces, {
  $id: "PluginInstalledResponse",
  description: "Result of `plugin/installed`.",
});
export interface PluginInstalledResponse extends Static<typeof PluginInstalledResponse> {}

export const PluginShareListResponse = Type.Object(
  { data: none("Always empty.") },
  { $id: "PluginShareListResponse", description: "Result of `plugin/share/list`." },
);
export interface PluginShareListResponse extends Static<typeof PluginShareListResponse> {}

export const GovCloudResponse = Type.Object(
  {
    isGovCloud: Type.Boolean({ description: "Always false." }),
    shouldWarn: Type.Boolean({ description: "Always false." }),
  },
  {
    $id: "GovCloudResponse",
    description: "Result of `account/bedrock/checkGovCloudRequirements`.",
  },
);
export interface GovCloudResponse extends Static<typeof GovCloudResponse> {}

export const WorkspaceMessagesResponse = Type.Object(
  {
    featureEnabled: Type.Boolean({ description: "Always false." }),
    messages: none("Always empty."),
  },
  { $id: "WorkspaceMessagesResponse", description: "Result of `account/workspaceMessages/read`." },
);
export interface WorkspaceMessagesResponse extends Static<typeof WorkspaceMessagesResponse> {}

export const GatewayOAuthReadResponse = Type.Object(
  {
    providerId: Type.String({ description: "Model provider id." }),
    providerName: Type.String({ description: "Display name of the provider." }),
    required: Type.Boolean({ description: "Always false." }),
    status: Type.Null({ description: "Always null." }),
    error: Nullable(Type.String(), { description: "Always null." }),
  },
  { $id: "GatewayOAuthReadResponse", description: "Result of `account/gatewayOAuth/read`." },
);
export interface GatewayOAuthReadResponse extends Static<typeof GatewayOAuthReadResponse> {}

export const WindowsSandboxReadinessResponse = Type.Object(
  {
    status: Type.Enum(["notConfigured"], { description: "Always `notConfigured`." }),
  },
  { $id: "WindowsSandboxReadinessResponse", description: "Result of `windowsSandbox/readiness`." },
);
export interface WindowsSandboxReadinessResponse
  extends Static<typeof WindowsSandboxReadinessResponse> {}

export const MemoryStatusResponse = Type.Object(
  {
    v2ConsolidatedThreads: Type.Integer({ description: "Always 0." }),
    v2Ready: Type.Boolean({
      description: "False: there are no memories; always true in the 0.166 format.",
    }),
  },
  { $id: "MemoryStatusResponse", description: "Result of `memory/status`." },
);
export interface MemoryStatusResponse extends Static<typeof MemoryStatusResponse> {}

export const ThreadMemoryReadResponse = Type.Object(
  allSince("0.166", { summary: Type.Null({ description: "Always null." }) }),
  { $id: "ThreadMemoryReadResponse", description: "Result of `thread/memory/read`." },
);
export interface ThreadMemoryReadResponse extends Static<typeof ThreadMemoryReadResponse> {}

export const ThreadMemoryModeSetParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread id (UUID)." }),
    mode: Type.Enum(["enabled", "disabled"], {
      description: "`disabled` is the only mode here.",
    }),
  },
  { $id: "ThreadMemoryModeSetParams", description: "Params of `thread/memoryMode/set`." },
);
export interface ThreadMemoryModeSetParams extends Static<typeof ThreadMemoryModeSetParams> {}

export const AccountSessionListResponse = Type.Object(
  allSince("0.166", {
    activeSessionId: Type.Null({ description: "Always null." }),
    sessions: none("Always empty."),
  }),
  { $id: "AccountSessionListResponse", description: "Result of `accountSession/list`." },
);
export interface AccountSessionListResponse extends Static<typeof AccountSessionListResponse> {}

export const UserVerificationStatusResponse = Type.Object(
  allSince("0.166", {
    credentialId: Type.Null({ description: "Always null." }),
    unavailableReason: Type.Literal("providerUnavailable", { description: "The reason." }),
    unavailableMessage: Type.String({ description: "The reason for the user." }),
  }),
  { $id: "UserVerificationStatusResponse", description: "Result of `userVerification/status`." },
);
export interface UserVerificationStatusResponse
  extends Static<typeof UserVerificationStatusResponse> {}

export const MockExperimentalMethodParams = Type.Object(
  { value: Nullish(Type.String(), { description: "Any text." }) },
  { $id: "MockExperimentalMethodParams", description: "Params of `mock/experimentalMethod`." },
);
export interface MockExperimentalMethodParams extends Static<typeof MockExperimentalMethodParams> {}

export const MockExperimentalMethodResponse = Type.Object(
  allSince("0.166", {
    echoed: Nullable(Type.String(), { description: "The text of the request." }),
  }),
  { $id: "MockExperimentalMethodResponse", description: "Result of `mock/experimentalMethod`." },
);
export interface MockExperimentalMethodResponse
  extends Static<typeof MockExperimentalMethodResponse> {}

const answered = { scope: "server", params: AbsentListParams } as const;

export const absentMethods = [
  defineMethod({
    name: "app/list",
    summary: "Lists available apps. Always empty here.",
    ...answered,
    result: AbsentListResponse,
  }),
  defineMethod({
    name: "app/installed",
    summary: "Lists installed apps. Always empty here.",
    ...answered,
    result: AppsInstalledResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "plugin/list",
    summary: "Lists plugins by marketplace. Always empty here.",
    ...answered,
    result: PluginListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "plugin/installed",
    summary: "Lists installed plugins. Always empty here.",
    ...answered,
    result: PluginInstalledResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "plugin/share/list",
    summary: "Lists shared plugins. Always empty here.",
    ...answered,
    result: PluginShareListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "account/bedrock/checkGovCloudRequirements",
    summary: "Checks for government cloud requirements. Always negative here.",
    ...answered,
    result: GovCloudResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "account/workspaceMessages/read",
    summary: "Returns messages to the workspace. Always empty here.",
    ...answered,
    result: WorkspaceMessagesResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "account/gatewayOAuth/read",
    summary: "Returns the gateway sign-in of the model provider. Never required here.",
    ...answered,
    result: GatewayOAuthReadResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "windowsSandbox/readiness",
    summary: "Returns the readiness of the Windows sandbox. Always `notConfigured` here.",
    ...answered,
    result: WindowsSandboxReadinessResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "memory/status",
    summary:
      "Returns the state of memories. There are none: threads are not summarized for later ones.",
    ...answered,
    result: MemoryStatusResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "memory/reset",
    summary: "Deletes all memories. There are none to delete.",
    ...answered,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/memory/read",
    summary: "Returns the memory of a thread. Always null here.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadMemoryReadResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/memoryMode/set",
    summary: "Excludes a thread from memories. There are none; use AGENTS.md.",
    scope: "thread",
    params: ThreadMemoryModeSetParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "accountSession/list",
    summary: "Lists sessions of the vendor account. Always empty here.",
    ...answered,
    result: AccountSessionListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "userVerification/status",
    summary:
      "Returns the state of user verification, which needs the vendor account. Never available here.",
    ...answered,
    result: UserVerificationStatusResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "mock/experimentalMethod",
    summary: "Returns its text, so that a client can test its capability.",
    scope: "server",
    params: MockExperimentalMethodParams,
    result: MockExperimentalMethodResponse,
    since: "0.166",
    experimental: "0.166",
  }),
];
