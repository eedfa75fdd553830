import Type, { type Static } from "typebox";
import { Nullable, taggedUnion } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse, NoParams } from "./common.js";

const file = Type.String({ description: "The file; it need not exist." });

const SystemLayer = Type.Object({ type: Type.Literal("system"), file });
const UserLayer = Type.Object({
  type: Type.Literal("user"),
  file,
  profile: Nullable(Type.String(), { description: "The profile whose file this is." }),
});
const ProjectLayer = Type.Object({
  type: Type.Literal("project"),
  dotCodexFolder: Type.String({ description: "The `.codex` folder of the project." }),
});
const SessionLayer = Type.Object({ type: Type.Literal("sessionFlags") });
const ManagedLayer = Type.Object({
  type: Type.Literal("legacyManagedConfigTomlFromFile"),
  file,
});

export const ConfigLayerSource = taggedUnion(
  "ConfigLayerSource",
  "type",
  [SystemLayer, UserLayer, ProjectLayer, SessionLayer, ManagedLayer],
  "Where settings come from.",
);
/** Where settings come from. */
export type ConfigLayerSource = Static<typeof ConfigLayerSource>;

const version = Type.String({ description: "Changes when the settings do." });

export const ConfigLayerMetadata = Type.Object(
  { name: ConfigLayerSource, version },
  { $id: "ConfigLayerMetadata", description: "Which settings, and as of when." },
);
export interface ConfigLayerMetadata extends Static<typeof ConfigLayerMetadata> {}

export const ConfigLayer = Type.Object(
  {
    name: ConfigLayerSource,
    version,
    config: Type.Unknown({ description: "What the source says, as it says it." }),
    disabledReason: Type.Optional(Type.String({ description: "Why it does not count." })),
  },
  { $id: "ConfigLayer", description: "The settings of one source." },
);
export interface ConfigLayer extends Static<typeof ConfigLayer> {}

export const ConfigReadParams = Type.Object(
  {
    includeLayers: Type.Optional(Type.Boolean({ description: "Tell also what each source says." })),
    cwd: Type.Optional(
      Type.String({ description: "The folder whose project counts too; none without it." }),
    ),
  },
  { $id: "ConfigReadParams", description: "Which settings to read." },
);
export interface ConfigReadParams extends Static<typeof ConfigReadParams> {}

export const ConfigReadResponse = Type.Object(
  {
    config: Type.Record(Type.String(), Type.Unknown(), {
      description: "The settings that hold, by their names in config.toml; `null`: not set.",
    }),
    origins: Type.Record(Type.String(), ConfigLayerMetadata, {
      description: "Where each setting comes from, by its path with dots.",
    }),
    layers: Type.Optional(
      Nullable(Type.Array(ConfigLayer), { description: "All sources, the strongest first." }),
    ),
  },
  { $id: "ConfigReadResponse", description: "The settings." },
);
export interface ConfigReadResponse extends Static<typeof ConfigReadResponse> {}

const edit = {
  keyPath: Type.String({ description: "The setting: names with dots between, quoted if need be." }),
  value: Type.Unknown({ description: "Its new value; `null` takes it away." }),
  mergeStrategy: Type.Enum(["replace", "upsert"], {
    description: "Whether keys of a table that the value does not have go or stay.",
  }),
};
const target = {
  filePath: Type.Optional(Type.String({ description: "The user's file, which is the default." })),
  expectedVersion: Type.Optional(
    Type.String({ description: "Changes nothing when the file is of another version." }),
  ),
};

export const ConfigEdit = Type.Object(edit, {
  $id: "ConfigEdit",
  description: "A change of a setting.",
});
export interface ConfigEdit extends Static<typeof ConfigEdit> {}

export const ConfigValueWriteParams = Type.Object(
  { ...edit, ...target },
  { $id: "ConfigValueWriteParams", description: "A change of one setting." },
);
export interface ConfigValueWriteParams extends Static<typeof ConfigValueWriteParams> {}

export const ConfigBatchWriteParams = Type.Object(
  {
    edits: Type.Array(ConfigEdit, { description: "The changes: all of them or none." }),
    ...target,
    reloadUserConfig: Type.Optional(
      Type.Boolean({ description: "Threads that are loaded shall look at the file again." }),
    ),
  },
  { $id: "ConfigBatchWriteParams", description: "Changes of several settings." },
);
export interface ConfigBatchWriteParams extends Static<typeof ConfigBatchWriteParams> {}

export const OverriddenMetadata = Type.Object(
  {
    message: Type.String({ description: "What overrides it." }),
    overridingLayer: ConfigLayerMetadata,
    effectiveValue: Type.Unknown({ description: "The value that holds instead." }),
  },
  { $id: "OverriddenMetadata", description: "A change without effect, and why." },
);
export interface OverriddenMetadata extends Static<typeof OverriddenMetadata> {}

export const ConfigWriteResponse = Type.Object(
  {
    status: Type.Enum(["ok", "okOverridden"], {
      description: "Whether what was written also holds.",
    }),
    version: Type.String({ description: "The version of the file now." }),
    filePath: Type.String({ description: "The file that was written." }),
    overriddenMetadata: Nullable(OverriddenMetadata, { description: "Why it does not hold." }),
  },
  { $id: "ConfigWriteResponse", description: "It is written." },
);
export interface ConfigWriteResponse extends Static<typeof ConfigWriteResponse> {}

export const ConfigRequirementsReadResponse = Type.Object(
  {
    supportsIndependentSpeedModes: Nullable(Type.Boolean(), {
      description: "Whether requirements about the speeds of models are told apart.",
    }),
    requirements: Type.Null({ description: "Nobody but the user decides about settings." }),
  },
  { $id: "ConfigRequirementsReadResponse", description: "What the user's settings must keep to." },
);
export interface ConfigRequirementsReadResponse
  extends Static<typeof ConfigRequirementsReadResponse> {}

export const TextPosition = Type.Object(
  {
    line: Type.Integer({ description: "From 1." }),
    column: Type.Integer({ description: "From 1, in characters." }),
  },
  { $id: "TextPosition", description: "A place in a text." },
);
export interface TextPosition extends Static<typeof TextPosition> {}

export const TextRange = Type.Object(
  { start: TextPosition, end: TextPosition },
  { $id: "TextRange", description: "A part of a text." },
);
export interface TextRange extends Static<typeof TextRange> {}

export const ConfigWarningNotification = Type.Object(
  {
    summary: Type.String({ description: "What is wrong, in a sentence." }),
    details: Nullable(Type.String(), { description: "More about it." }),
    path: Type.Optional(Type.String({ description: "The file." })),
    range: Type.Optional(TextRange),
  },
  { $id: "ConfigWarningNotification", description: "The user's settings cannot be read." },
);
export interface ConfigWarningNotification extends Static<typeof ConfigWarningNotification> {}

export const configMethods = [
  defineMethod({
    name: "config/read",
    summary: "Returns the effective settings.",
    scope: "server",
    params: ConfigReadParams,
    result: ConfigReadResponse,
  }),
  defineMethod({
    name: "config/value/write",
    summary: "Changes a setting in the user's config file.",
    scope: "server",
    params: ConfigValueWriteParams,
    result: ConfigWriteResponse,
  }),
  defineMethod({
    name: "config/batchWrite",
    summary: "Changes several settings in the user's config file at once.",
    scope: "server",
    params: ConfigBatchWriteParams,
    result: ConfigWriteResponse,
  }),
  defineMethod({
    name: "configRequirements/read",
    summary: "Returns the restrictions that an administrator put on settings.",
    scope: "server",
    params: NoParams,
    result: ConfigRequirementsReadResponse,
  }),
  defineMethod({
    name: "config/mcpServer/reload",
    summary: "Reloads the MCP server settings in all loaded threads.",
    scope: "server",
    params: NoParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "configWarning",
    summary: "The settings have an error or keys that are ignored.",
    scope: "server",
    params: ConfigWarningNotification,
  }),
];
