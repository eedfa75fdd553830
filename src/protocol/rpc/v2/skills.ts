import Type, { type Static } from "typebox";
import { described, Nullable, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";

const nullableText = (description: string) => Nullable(Type.String(), { description });

export const SkillInterface = Type.Object(
  {
    displayName: nullableText("Display name."),
    shortDescription: nullableText("Short description."),
    iconSmall: nullableText("Path of a small icon."),
    iconLarge: nullableText("Path of a large icon."),
    iconSmallUrl: since("0.166", Type.Null({ description: "Always null." })),
    iconLargeUrl: since("0.166", Type.Null({ description: "Always null." })),
    brandColor: nullableText("Color as `#RRGGBB`."),
    defaultPrompt: nullableText("Suggested first message."),
  },
  { $id: "SkillInterface", description: "Display information of a skill." },
);
export interface SkillInterface extends Static<typeof SkillInterface> {}

export const SkillToolDependency = Type.Object(
  {
    type: Type.String({ description: "Kind of tool." }),
    value: Type.String({ description: "Identifier of the tool." }),
    description: Type.Optional(Type.String({ description: "Description." })),
    transport: Type.Optional(Type.String({ description: "Transport." })),
    command: Type.Optional(Type.String({ description: "Command that starts it." })),
    url: Type.Optional(Type.String({ description: "Location." })),
  },
  { $id: "SkillToolDependency", description: "A tool that a skill requires." },
);
export interface SkillToolDependency extends Static<typeof SkillToolDependency> {}

export const SkillDependencies = Type.Object(
  { tools: Type.Array(SkillToolDependency, { description: "Required tools." }) },
  { $id: "SkillDependencies", description: "Dependencies of a skill." },
);
export interface SkillDependencies extends Static<typeof SkillDependencies> {}

export const SkillMetadata = Type.Object(
  {
    name: Type.String({ description: "Name." }),
    description: Type.String({ description: "Description." }),
    shortDescription: Type.Optional(Type.String({ description: "Short description." })),
    interface: described(Type.Optional(SkillInterface), "Display information."),
    dependencies: described(Type.Optional(SkillDependencies), "Dependencies."),
    path: Type.String({ description: "Path of its SKILL.md." }),
    scope: Type.Enum(["user", "repo", "system", "admin"], { description: "Scope of the skill." }),
    enabled: Type.Boolean({ description: "True if enabled." }),
    pluginId: since("0.166", Type.Null({ description: "Always null." })),
  },
  { $id: "SkillMetadata", description: "A skill." },
);
export interface SkillMetadata extends Static<typeof SkillMetadata> {}

export const SkillErrorInfo = Type.Object(
  {
    path: Type.String({ description: "The file." }),
    message: Type.String({ description: "Error message." }),
  },
  { $id: "SkillErrorInfo", description: "A skill file that could not be loaded." },
);
export interface SkillErrorInfo extends Static<typeof SkillErrorInfo> {}

export const SkillsListEntry = Type.Object(
  {
    cwd: Type.String({ description: "Directory." }),
    skills: Type.Array(SkillMetadata, { description: "Skills of the directory." }),
    errors: Type.Array(SkillErrorInfo, { description: "Skill files that could not be loaded." }),
  },
  { $id: "SkillsListEntry", description: "Skills of a directory." },
);
export interface SkillsListEntry extends Static<typeof SkillsListEntry> {}

export const SkillsListParams = Type.Object(
  {
    cwds: Type.Optional(
      Type.Array(Type.String(), {
        description: "Directories. Default: the server's working directory.",
      }),
    ),
    forceReload: Type.Optional(Type.Boolean({ description: "Bypasses the cache." })),
  },
  { $id: "SkillsListParams", description: "Params of `skills/list`." },
);
export interface SkillsListParams extends Static<typeof SkillsListParams> {}

export const SkillsListResponse = Type.Object(
  { data: Type.Array(SkillsListEntry, { description: "Skills by directory." }) },
  { $id: "SkillsListResponse", description: "Result of `skills/list`." },
);
export interface SkillsListResponse extends Static<typeof SkillsListResponse> {}

export const SkillsConfigWriteParams = Type.Object(
  {
    path: Type.Optional(Type.String({ description: "Path of the skill's SKILL.md." })),
    name: Type.Optional(
      Type.String({ description: "Selects all skills of this name, instead of `path`." }),
    ),
    enabled: Type.Boolean({ description: "Enables or disables the skill." }),
  },
  { $id: "SkillsConfigWriteParams", description: "Params of `skills/config/write`." },
);
export interface SkillsConfigWriteParams extends Static<typeof SkillsConfigWriteParams> {}

export const SkillsConfigWriteResponse = Type.Object(
  { effectiveEnabled: Type.Boolean({ description: "True if the skill is enabled now." }) },
  { $id: "SkillsConfigWriteResponse", description: "Result of `skills/config/write`." },
);
export interface SkillsConfigWriteResponse extends Static<typeof SkillsConfigWriteResponse> {}

export const SkillsExtraRootsSetParams = Type.Object(
  {
    extraRoots: Type.Array(Type.String(), {
      description: "Absolute paths of folders with skills; they replace those of an earlier call.",
    }),
  },
  { $id: "SkillsExtraRootsSetParams", description: "Params of `skills/extraRoots/set`." },
);
export interface SkillsExtraRootsSetParams extends Static<typeof SkillsExtraRootsSetParams> {}

export const SkillsExtraRootsSetResponse = Type.Object(
  {},
  { $id: "SkillsExtraRootsSetResponse", description: "Result of `skills/extraRoots/set`." },
);
export interface SkillsExtraRootsSetResponse extends Static<typeof SkillsExtraRootsSetResponse> {}

export const SkillsChangedNotification = Type.Object(
  {},
  { $id: "SkillsChangedNotification", description: "Skill files changed." },
);
export interface SkillsChangedNotification extends Static<typeof SkillsChangedNotification> {}

export const skillsMethods = [
  defineMethod({
    name: "skills/list",
    summary: "Lists skills by directory.",
    scope: "server",
    params: SkillsListParams,
    result: SkillsListResponse,
  }),
  defineMethod({
    name: "skills/config/write",
    summary: "Enables or disables a skill in the user's config file.",
    scope: "server",
    params: SkillsConfigWriteParams,
    result: SkillsConfigWriteResponse,
  }),
  defineMethod({
    name: "skills/extraRoots/set",
    summary: "Adds folders with skills for all threads, until the server ends.",
    scope: "server",
    params: SkillsExtraRootsSetParams,
    result: SkillsExtraRootsSetResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "skills/changed",
    summary: "Skill files changed. Call `skills/list` for the current skills.",
    scope: "server",
    params: SkillsChangedNotification,
    since: "0.166",
  }),
];
