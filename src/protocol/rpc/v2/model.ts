import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { NoParams, nextCursor, PageParams } from "./common.js";

export const ReasoningEffortOption = Type.Object(
  {
    reasoningEffort: Type.String({ description: "The effort, in a word." }),
    description: Type.String({ description: "What it is good for." }),
  },
  { $id: "ReasoningEffortOption", description: "How much a model can be asked to reason." },
);
export interface ReasoningEffortOption extends Static<typeof ReasoningEffortOption> {}

export const ModelUpgradeInfo = Type.Object(
  {
    model: Type.String({ description: "The model that takes its place." }),
    upgradeCopy: Nullable(Type.String(), { description: "A line that offers it." }),
    modelLink: Nullable(Type.String(), { description: "Where more is said about it." }),
    migrationMarkdown: Nullable(Type.String(), { description: "What changes, at length." }),
    retirementAt: Nullable(Type.Integer(), {
      description: "When the older one ends, in seconds since 1970.",
    }),
  },
  { $id: "ModelUpgradeInfo", description: "What a model is replaced by." },
);
export interface ModelUpgradeInfo extends Static<typeof ModelUpgradeInfo> {}

export const ModelAvailabilityNux = Type.Object(
  { message: Type.String({ description: "What users are told once." }) },
  { $id: "ModelAvailabilityNux", description: "News about a model that can be had now." },
);
export interface ModelAvailabilityNux extends Static<typeof ModelAvailabilityNux> {}

export const ModelServiceTier = Type.Object(
  {
    id: Type.String({ description: "As requests to the model name it." }),
    name: Type.String({ description: "As people are shown it." }),
    description: Type.String({ description: "What it gives and costs." }),
  },
  { $id: "ModelServiceTier", description: "A kind of service that a model is offered with." },
);
export interface ModelServiceTier extends Static<typeof ModelServiceTier> {}

export const Model = Type.Object(
  {
    id: Type.String({ description: "The model, by a name that does not change." }),
    model: Type.String({ description: "As requests name it." }),
    upgrade: Nullable(Type.String(), { description: "The model to use in its place." }),
    upgradeInfo: Nullable(ModelUpgradeInfo, { description: "More about that one." }),
    availabilityNux: Nullable(ModelAvailabilityNux, { description: "News about it." }),
    displayName: Type.String({ description: "As people are shown it." }),
    description: Type.String({ description: "What it is good for." }),
    modelSpecialty: Nullable(Type.String(), { description: "The one field it is made for." }),
    hidden: Type.Boolean({ description: "Left out of lists to choose from." }),
    supportedReasoningEfforts: Type.Array(ReasoningEffortOption, {
      description: "How much it can be asked to reason.",
    }),
    defaultReasoningEffort: Type.String({ description: "How much it reasons unasked." }),
    inputModalities: Type.Array(Type.Enum(["text", "image"]), {
      description: "What it can be shown.",
    }),
    supportsPersonality: Type.Boolean({ description: "Its tone can be chosen." }),
    multiAgentVersion: Nullable(Type.String(), {
      description: "How it works with others of its kind, if it can.",
    }),
    additionalSpeedTiers: Type.Array(Type.String(), {
      description: "Older names of its faster service.",
    }),
    serviceTiers: Type.Array(ModelServiceTier, { description: "The services it is offered with." }),
    defaultServiceTier: Nullable(Type.String(), { description: "The service it has unasked." }),
    availableAccessPrograms: Type.Null({ description: "Not known without asking its provider." }),
    isDefault: Type.Boolean({ description: "The one that is offered first." }),
  },
  { $id: "Model", description: "A model that can be chosen." },
);
export interface Model extends Static<typeof Model> {}

export const ModelListParams = Type.Object(
  {
    ...PageParams,
    includeHidden: Type.Optional(
      Type.Boolean({ description: "Also those that are not offered to choose from." }),
    ),
  },
  { $id: "ModelListParams", description: "Which models to list." },
);
export interface ModelListParams extends Static<typeof ModelListParams> {}

export const ModelListResponse = Type.Object(
  { data: Type.Array(Model, { description: "The models, best first." }), nextCursor },
  { $id: "ModelListResponse", description: "The models that can be chosen." },
);
export interface ModelListResponse extends Static<typeof ModelListResponse> {}

export const CollaborationModeMask = Type.Object(
  {
    name: Type.String({ description: "As people are shown it." }),
    mode: Nullable(Type.String(), { description: "The mode it sets." }),
    model: Nullable(Type.String(), { description: "The model it sets." }),
    reasoning_effort: Nullable(Type.String(), { description: "The effort it sets." }),
  },
  { $id: "CollaborationModeMask", description: "A way to work together, and what it changes." },
);
export interface CollaborationModeMask extends Static<typeof CollaborationModeMask> {}

export const CollaborationModeListResponse = Type.Object(
  { data: Type.Array(CollaborationModeMask, { description: "The modes." }) },
  { $id: "CollaborationModeListResponse", description: "The ways to work together." },
);
export interface CollaborationModeListResponse
  extends Static<typeof CollaborationModeListResponse> {}

export const ModelProviderCapabilitiesReadResponse = Type.Object(
  {
    imageGeneration: Type.Boolean({ description: "It makes pictures when a tool asks for them." }),
    webSearch: Type.Boolean({ description: "It searches the web when a tool asks for it." }),
  },
  { $id: "ModelProviderCapabilitiesReadResponse", description: "What the provider in use can do." },
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
    experimental: true,
    params: NoParams,
    result: CollaborationModeListResponse,
  }),
  defineMethod({
    name: "modelProvider/capabilities/read",
    summary: "Returns the capabilities of the current model provider.",
    scope: "server",
    params: NoParams,
    result: ModelProviderCapabilitiesReadResponse,
  }),
];
