import Type, { type Static } from "typebox";
import { Nullable, since } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { NoParams, nextCursor, PageParams } from "./common.js";

export const ReasoningEffortOption = Type.Object(
  {
    reasoningEffort: Type.String({ description: "Reasoning effort." }),
    description: Type.String({ description: "Description." }),
  },
  { $id: "ReasoningEffortOption", description: "A supported reasoning effort." },
);
export interface ReasoningEffortOption extends Static<typeof ReasoningEffortOption> {}

export const ModelUpgradeInfo = Type.Object(
  {
    model: Type.String({ description: "Replacement model." }),
    upgradeCopy: Nullable(Type.String(), { description: "Text that offers the upgrade." }),
    modelLink: Nullable(Type.String(), { description: "Website." }),
    migrationMarkdown: Nullable(Type.String(), { description: "Migration notes in Markdown." }),
    retirementAt: Nullable(Type.Integer(), {
      description: "Retirement time of the older model, in Unix seconds.",
    }),
  },
  { $id: "ModelUpgradeInfo", description: "Upgrade of a model." },
);
export interface ModelUpgradeInfo extends Static<typeof ModelUpgradeInfo> {}

export const ModelAvailabilityNux = Type.Object(
  { message: Type.String({ description: "Message shown once." }) },
  { $id: "ModelAvailabilityNux", description: "Announcement of a model." },
);
export interface ModelAvailabilityNux extends Static<typeof ModelAvailabilityNux> {}

export const ModelServiceTier = Type.Object(
  {
    id: Type.String({ description: "Id in requests to the provider." }),
    name: Type.String({ description: "Display name." }),
    description: Type.String({ description: "Description." }),
  },
  { $id: "ModelServiceTier", description: "A service tier of a model." },
);
export interface ModelServiceTier extends Static<typeof ModelServiceTier> {}

export const Model = Type.Object(
  {
    id: Type.String({ description: "Stable model id." }),
    model: Type.String({ description: "Profile id." }),
    upgrade: Nullable(Type.String(), { description: "Replacement model, if any." }),
    upgradeInfo: since(
      "0.166",
      Nullable(ModelUpgradeInfo, { description: "Details of the upgrade." }),
    ),
    availabilityNux: since(
      "0.166",
      Nullable(ModelAvailabilityNux, { description: "Announcement." }),
    ),
    displayName: Type.String({ description: "Display name." }),
    description: Type.String({ description: "Description." }),
    modelSpecialty: since(
      "0.166",
      Nullable(Type.String(), { description: "Specialty of the model." }),
    ),
    hidden: Type.Boolean({ description: "Hidden from model pickers." }),
    supportedReasoningEfforts: Type.Array(ReasoningEffortOption, {
      description: "Supported reasoning efforts.",
    }),
    defaultReasoningEffort: Type.String({ description: "Default reasoning effort." }),
    inputModalities: Type.Array(Type.Enum(["text", "image"]), {
      description: "Input modalities.",
    }),
    supportsPersonality: Type.Boolean({ description: "Supports personalities." }),
    multiAgentVersion: since(
      "0.166",
      Nullable(Type.String(), {
        description: "Multi-agent version, if supported.",
      }),
    ),
    additionalSpeedTiers: since(
      "0.166",
      Type.Array(Type.String(), {
        description: "Older names of speed tiers.",
      }),
    ),
    serviceTiers: since("0.166", Type.Array(ModelServiceTier, { description: "Service tiers." })),
    defaultServiceTier: since(
      "0.166",
      Nullable(Type.String(), { description: "Default service tier." }),
    ),
    availableAccessPrograms: since("0.166", Type.Null({ description: "Always null." })),
    isDefault: Type.Boolean({ description: "True for the default model." }),
  },
  { $id: "Model", description: "A model." },
);
export interface Model extends Static<typeof Model> {}

export const ModelListParams = Type.Object(
  {
    ...PageParams,
    includeHidden: Type.Optional(Type.Boolean({ description: "Includes hidden models." })),
  },
  { $id: "ModelListParams", description: "Params of `model/list`." },
);
export interface ModelListParams extends Static<typeof ModelListParams> {}

export const ModelListResponse = Type.Object(
  { data: Type.Array(Model, { description: "Models, best first." }), nextCursor },
  { $id: "ModelListResponse", description: "Result of `model/list`." },
);
export interface ModelListResponse extends Static<typeof ModelListResponse> {}

export const CollaborationModeMask = Type.Object(
  {
    name: Type.String({ description: "Display name." }),
    mode: Nullable(Type.String(), { description: "Mode." }),
    model: Nullable(Type.String(), { description: "Model; null to keep the current one." }),
    reasoning_effort: Nullable(Type.String(), {
      description: "Reasoning effort; null to keep the current one.",
    }),
  },
  { $id: "CollaborationModeMask", description: "A collaboration mode with its settings." },
);
export interface CollaborationModeMask extends Static<typeof CollaborationModeMask> {}

export const CollaborationModeListResponse = Type.Object(
  { data: Type.Array(CollaborationModeMask, { description: "Collaboration modes." }) },
  { $id: "CollaborationModeListResponse", description: "Result of `collaborationMode/list`." },
);
export interface CollaborationModeListResponse
  extends Static<typeof CollaborationModeListResponse> {}

export const ModelProviderCapabilitiesReadResponse = Type.Object(
  {
    imageGeneration: Type.Boolean({ description: "Supports image generation." }),
    webSearch: Type.Boolean({ description: "Supports web search." }),
  },
  {
    $id: "ModelProviderCapabilitiesReadResponse",
    description: "Result of `modelProvider/capabilities/read`.",
  },
);
export interface ModelProviderCapabilitiesReadResponse
  extends Static<typeof ModelProviderCapabilitiesReadResponse> {}

export const modelMethods = [
  defineMethod({
    name: "model/list",
    summary: "Lists the available models.",
    scope: "server",
    params: ModelListParams,
    result: ModelListResponse,
  }),
  defineMethod({
    name: "collaborationMode/list",
    summary: "Lists the collaboration modes.",
    scope: "server",
    experimental: "0.104",
    params: NoParams,
    result: CollaborationModeListResponse,
  }),
  defineMethod({
    name: "modelProvider/capabilities/read",
    summary: "Returns the capabilities of the current model provider.",
    scope: "server",
    params: NoParams,
    result: ModelProviderCapabilitiesReadResponse,
    since: "0.166",
  }),
];
