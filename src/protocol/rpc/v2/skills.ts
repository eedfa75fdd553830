import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";

const said = (description: string) => Nullable(Type.String(), { description });

export const SkillInterface = Type.Object(
  {
    displayName: said("Its name for people."),
    shortDescription: said("What it does, in a few words."),
    iconSmall: said("A small picture, as a path."),
    iconLarge: said("A large picture, as a path."),
    iconSmallUrl: Type.Null({ description: "Pictures are files here." }),
    iconLargeUrl: Type.Null({ description: "Pictures are files here." }),
    brandColor: said("Its colour, as `#RRGGBB`."),
    defaultPrompt: said("A message to begin with."),
  },
  { $id: "SkillInterface", description: "How a skill wants to be shown." },
);
export interface SkillInterface extends Static<typeof SkillInterface> {}

export const SkillToolDependency = Type.Object(
  {
    type: Type.String({ description: "The kind of tool." }),
    value: Type.String({ description: "Which one." }),
    description: Type.Optional(Type.String({ description: "What for." })),
    transport: Type.Optional(Type.String({ description: "How it is reached." })),
    command: Type.Optional(Type.String({ description: "What starts it." })),
    url: Type.Optional(Type.String({ description: "Where it is." })),
  },
  { $id: "SkillToolDependency", description: "A tool that a skill cannot do without." },
);
export interface SkillToolDependency extends Static<typeof SkillToolDependency> {}

export const SkillDependencies = Type.Object(
  { tools: Type.Array(SkillToolDependency, { description: "The tools." }) },
  { $id: "SkillDependencies", description: "What a skill cannot do without." },
);
export interface SkillDependencies extends Static<typeof SkillDependencies> {}

export const SkillMetadata = Type.Object(
  {
    name: Type.String({ description: "Its name." }),
    description: Type.String({ description: "What it is for." }),
    shortDescription: Type.Optional(Type.String({ description: "The same in a few words." })),
    interface: described(Type.Optional(SkillInterface), "How it wants to be shown."),
    dependencies: described(Type.Optional(SkillDependencies), "What it cannot do without."),
    path: Type.String({ description: "Its SKILL.md." }),
    scope: Type.Enum(["user", "repo", "system", "admin"], { description: "Whose it is." }),
    enabled: Type.Boolean({ description: "Whether the model is told of it." }),
    pluginId: Type.Null({ description: "There are no plugins." }),
  },
  { $id: "SkillMetadata", description: "A skill." },
);
export interface SkillMetadata extends Static<typeof SkillMetadata> {}

export const SkillErrorInfo = Type.Object(
  {
    path: Type.String({ description: "The file." }),
    message: Type.String({ description: "Why it is no skill." }),
  },
  { $id: "SkillErrorInfo", description: "A file that would be a skill." },
);
export interface SkillErrorInfo extends Static<typeof SkillErrorInfo> {}

export const SkillsListEntry = Type.Object(
  {
    cwd: Type.String({ description: "The folder." }),
    skills: Type.Array(SkillMetadata, { description: "Its skills." }),
    errors: Type.Array(SkillErrorInfo, { description: "What is wrong with others." }),
  },
  { $id: "SkillsListEntry", description: "The skills for work in a folder." },
);
export interface SkillsListEntry extends Static<typeof SkillsListEntry> {}

export const SkillsListParams = Type.Object(
  {
    cwds: Type.Optional(
      Type.Array(Type.String(), { description: "The folders; the server's own without them." }),
    ),
    forceReload: Type.Optional(Type.Boolean({ description: "Looks at the disk again." })),
  },
  { $id: "SkillsListParams", description: "For which folders to list skills." },
);
export interface SkillsListParams extends Static<typeof SkillsListParams> {}

export const SkillsListResponse = Type.Object(
  { data: Type.Array(SkillsListEntry, { description: "The skills of each folder." }) },
  { $id: "SkillsListResponse", description: "Skills by folder." },
);
export interface SkillsListResponse extends Static<typeof SkillsListResponse> {}

export const SkillsConfigWriteParams = Type.Object(
  {
    path: Type.Optional(Type.String({ description: "The skill, by the path of its SKILL.md." })),
    name: Type.Optional(Type.String({ description: "All skills of this name instead." })),
    enabled: Type.Boolean({ description: "Whether the model shall be told of it." }),
  },
  { $id: "SkillsConfigWriteParams", description: "Which skill to turn on or off." },
);
export interface SkillsConfigWriteParams extends Static<typeof SkillsConfigWriteParams> {}

export const SkillsConfigWriteResponse = Type.Object(
  { effectiveEnabled: Type.Boolean({ description: "Whether the model is told of it now." }) },
  { $id: "SkillsConfigWriteResponse", description: "The skill is turned on or off." },
);
export interface SkillsConfigWriteResponse extends Static<typeof SkillsConfigWriteResponse> {}

export const SkillsChangedNotification = Type.Object(
  {},
  { $id: "SkillsChangedNotification", description: "What was listed may not be so any more." },
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
  defineNotification({
    name: "skills/changed",
    summary: "Skill files changed. Call `skills/list` for the current skills.",
    scope: "server",
    params: SkillsChangedNotification,
  }),
];
