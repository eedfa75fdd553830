import Type, { type Static } from "typebox";
import { described, Nullable, since, taggedUnion } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse, NoParams } from "./common.js";
import { ConfigRequirements } from "./config-requirements.js";

const file = Type.String({ description: "Path of the config file; it may not exist." });

const SystemLayer = Type.Object({ type: Type.Literal("system"), file });
const UserLayer = Type.Object({
  type: Type.Literal("user"),
  file,
  profile: since("0.166", Nullable(Type.String(), { description: "Profile of the file." })),
});
const ProjectLayer = Type.Object({
  type: Type.Literal("project"),
  dotCodexFolder: Type.String({ description: "`.codex` directory of the project." }),
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
  "Source of settings.",
);
/** Source of settings. */
export type ConfigLayerSource = Static<typeof ConfigLayerSource>;

const version = Type.String({ description: "Version; changes with the content." });

export const ConfigLayerMetadata = Type.Object(
  { name: ConfigLayerSource, version },
  { $id: "ConfigLayerMetadata", description: "Source and version of settings." },
);
export interface ConfigLayerMetadata extends Static<typeof ConfigLayerMetadata> {}

export const ConfigLayer = Type.Object(
  {
    name: ConfigLayerSource,
    version,
    config: Type.Unknown({ description: "Settings as written in the source." }),
    disabledReason: Type.Optional(
      Type.String({ description: "Reason why the layer is disabled." }),
    ),
  },
  { $id: "ConfigLayer", description: "Settings of one source." },
);
export interface ConfigLayer extends Static<typeof ConfigLayer> {}

export const ConfigReadParams = Type.Object(
  {
    includeLayers: Type.Optional(
      Type.Boolean({ description: "Includes the settings of each source." }),
    ),
    cwd: Type.Optional(
      Type.String({ description: "Directory whose project settings apply. Default: none." }),
    ),
  },
  { $id: "ConfigReadParams", description: "Params of `config/read`." },
);
export interface ConfigReadParams extends Static<typeof ConfigReadParams> {}

/** A setting that older versions do not return. */
const laterKey = (description: string) =>
  since("0.166", Type.Optional(Type.Unknown({ description })));

export const EffectiveConfig = Type.Unsafe<Record<string, unknown>>({
  type: "object",
  properties: {
    approvals_reviewer: laterKey("Reviewer of approval requests."),
    browser_use: laterKey("Has no effect here."),
    computer_use: laterKey("Has no effect here."),
    desktop: laterKey("Has no effect here."),
    model_auto_compact_token_limit_scope: laterKey("Has no effect here."),
    service_tier: laterKey("Has no effect here."),
  },
  additionalProperties: {},
  $id: "EffectiveConfig",
  description: "Effective settings by all keys of config.toml, these and others; `null` if unset.",
});
/** Effective settings by their keys in config.toml. */
export type EffectiveConfig = Static<typeof EffectiveConfig>;

export const ConfigReadResponse = Type.Object(
  {
    config: described(EffectiveConfig, "Effective settings."),
    origins: Type.Record(Type.String(), ConfigLayerMetadata, {
      description: "Source of each setting by dotted key.",
    }),
    layers: Type.Optional(
      Nullable(Type.Array(ConfigLayer), { description: "All sources, highest precedence first." }),
    ),
  },
  { $id: "ConfigReadResponse", description: "Result of `config/read`." },
);
export interface ConfigReadResponse extends Static<typeof ConfigReadResponse> {}

const edit = {
  keyPath: Type.String({ description: "Dotted key; parts are quoted if necessary." }),
  value: Type.Unknown({ description: "New value; `null` removes the key." }),
  mergeStrategy: Type.Enum(["replace", "upsert"], {
    description: "`replace` removes keys of a table that the value lacks; `upsert` keeps them.",
  }),
};
const target = {
  filePath: Type.Optional(Type.String({ description: "Config file. Default: the user's." })),
  expectedVersion: Type.Optional(
    Type.String({ description: "Version that the file must have; the write fails if it differs." }),
  ),
};

export const ConfigEdit = Type.Object(edit, {
  $id: "ConfigEdit",
  description: "A change of a setting.",
});
export interface ConfigEdit extends Static<typeof ConfigEdit> {}

export const ConfigValueWriteParams = Type.Object(
  { ...edit, ...target },
  { $id: "ConfigValueWriteParams", description: "Params of `config/value/write`." },
);
export interface ConfigValueWriteParams extends Static<typeof ConfigValueWriteParams> {}

export const ConfigBatchWriteParams = Type.Object(
  {
    edits: Type.Array(ConfigEdit, { description: "Changes, applied atomically." }),
    ...target,
    reloadUserConfig: Type.Optional(
      Type.Boolean({ description: "Reloads the config in loaded threads." }),
    ),
  },
  { $id: "ConfigBatchWriteParams", description: "Params of `config/batchWrite`." },
);
export interface ConfigBatchWriteParams extends Static<typeof ConfigBatchWriteParams> {}

export const OverriddenMetadata = Type.Object(
  {
    message: Type.String({ description: "Source that overrides it." }),
    overridingLayer: ConfigLayerMetadata,
    effectiveValue: Type.Unknown({ description: "Effective value." }),
  },
  { $id: "OverriddenMetadata", description: "Reason why a change has no effect." },
);
export interface OverriddenMetadata extends Static<typeof OverriddenMetadata> {}

export const ConfigWriteResponse = Type.Object(
  {
    status: Type.Enum(["ok", "okOverridden"], {
      description: "`ok`, or `okOverridden` if another source overrides the value.",
    }),
    version: Type.String({ description: "New version of the file." }),
    filePath: Type.String({ description: "Path of the written file." }),
    overriddenMetadata: Nullable(OverriddenMetadata, { description: "Details of the override." }),
  },
  { $id: "ConfigWriteResponse", description: "Result of a config write." },
);
export interface ConfigWriteResponse extends Static<typeof ConfigWriteResponse> {}

export const ConfigRequirementsReadResponse = Type.Object(
  {
    supportsIndependentSpeedModes: since(
      "0.166",
      Nullable(Type.Boolean(), {
        description: "True if speed mode requirements are independent.",
      }),
    ),
    requirements: Nullable(ConfigRequirements, {
      description: "The restrictions; null if there are none.",
    }),
  },
  { $id: "ConfigRequirementsReadResponse", description: "Result of `configRequirements/read`." },
);
export interface ConfigRequirementsReadResponse
  extends Static<typeof ConfigRequirementsReadResponse> {}

export const TextPosition = Type.Object(
  {
    line: Type.Integer({ description: "Line, starting at 1." }),
    column: Type.Integer({ description: "Column in characters, starting at 1." }),
  },
  { $id: "TextPosition", description: "A position in a text." },
);
export interface TextPosition extends Static<typeof TextPosition> {}

export const TextRange = Type.Object(
  { start: TextPosition, end: TextPosition },
  { $id: "TextRange", description: "A byte range in a text." },
);
export interface TextRange extends Static<typeof TextRange> {}

export const ConfigWarningNotification = Type.Object(
  {
    summary: Type.String({ description: "The problem, in one sentence." }),
    details: Nullable(Type.String(), { description: "Details." }),
    path: Type.Optional(Type.String({ description: "The file." })),
    range: Type.Optional(TextRange),
  },
  {
    $id: "ConfigWarningNotification",
    description: "The settings have an error or keys that are ignored.",
  },
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
