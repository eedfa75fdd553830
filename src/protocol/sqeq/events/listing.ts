import Type, { type Static } from "typebox";
import { described, Nullish } from "../../schema.js";

export const CustomPrompt = Type.Object(
  {
    name: Type.String({ description: "Its name: the file name without `.md`." }),
    path: Type.String({ description: "The file it is in." }),
    content: Type.String({ description: "The text of the prompt." }),
    description: Nullish(Type.String(), { description: "What it is for." }),
    argument_hint: Nullish(Type.String(), { description: "Which arguments it takes." }),
  },
  { $id: "CustomPrompt", description: "A prompt the user has saved." },
);
export interface CustomPrompt extends Static<typeof CustomPrompt> {}

export const SkillScope = Type.Enum(["user", "repo", "system", "admin"], {
  $id: "SkillScope",
  description: "Whose skill it is.",
});
/** Whose skill it is. */
export type SkillScope = Static<typeof SkillScope>;

export const SkillMetadata = Type.Object(
  {
    name: Type.String({ description: "Its name." }),
    description: Type.String({ description: "When to use it." }),
    short_description: Nullish(Type.String(), { description: "The same in a few words." }),
    path: Type.String({ description: "Its `SKILL.md`." }),
    scope: described(SkillScope, "Whose skill it is."),
    enabled: Type.Optional(Type.Boolean({ description: "Whether it may be used." })),
  },
  { $id: "SkillMetadata", description: "A skill that was found." },
);
export interface SkillMetadata extends Static<typeof SkillMetadata> {}

export const SkillErrorInfo = Type.Object(
  {
    path: Type.String({ description: "The file." }),
    message: Type.String({ description: "What is wrong with it." }),
  },
  { $id: "SkillErrorInfo", description: "A skill that could not be read." },
);
export interface SkillErrorInfo extends Static<typeof SkillErrorInfo> {}

export const SkillsListEntry = Type.Object(
  {
    cwd: Type.String({ description: "The directory that was asked for." }),
    skills: Type.Array(SkillMetadata, { description: "What was found for it." }),
    errors: Type.Array(SkillErrorInfo, { description: "What could not be read." }),
  },
  { $id: "SkillsListEntry", description: "The skills for one directory." },
);
export interface SkillsListEntry extends Static<typeof SkillsListEntry> {}

export const ListCustomPromptsResponseEvent = Type.Object(
  {
    type: Type.Literal("list_custom_prompts_response"),
    custom_prompts: Type.Array(CustomPrompt, { description: "All prompts, by name." }),
  },
  { $id: "ListCustomPromptsResponseEvent", description: "Answers `list_custom_prompts`." },
);
export interface ListCustomPromptsResponseEvent
  extends Static<typeof ListCustomPromptsResponseEvent> {}

export const ListSkillsResponseEvent = Type.Object(
  {
    type: Type.Literal("list_skills_response"),
    skills: Type.Array(SkillsListEntry, { description: "The skills of each directory." }),
  },
  { $id: "ListSkillsResponseEvent", description: "Answers `list_skills`." },
);
export interface ListSkillsResponseEvent extends Static<typeof ListSkillsResponseEvent> {}
