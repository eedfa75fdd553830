import Type, { type Static } from "typebox";
import { described, Nullish } from "../../schema.js";

export const CustomPrompt = Type.Object(
  {
    name: Type.String({ description: "Name: the file name without `.md`." }),
    path: Type.String({ description: "Path of the file." }),
    content: Type.String({ description: "Prompt text." }),
    description: Nullish(Type.String(), { description: "Description." }),
    argument_hint: Nullish(Type.String(), { description: "Hint on the arguments." }),
  },
  { $id: "CustomPrompt", description: "A custom prompt of the user." },
);
export interface CustomPrompt extends Static<typeof CustomPrompt> {}

export const SkillScope = Type.Enum(["user", "repo", "system", "admin"], {
  $id: "SkillScope",
  description: "Scope of a skill.",
});
/** Scope of a skill. */
export type SkillScope = Static<typeof SkillScope>;

export const SkillMetadata = Type.Object(
  {
    name: Type.String({ description: "Name." }),
    description: Type.String({ description: "Description: when to use the skill." }),
    short_description: Nullish(Type.String(), { description: "Short description." }),
    path: Type.String({ description: "Path of its `SKILL.md`." }),
    scope: described(SkillScope, "Scope of a skill."),
    enabled: Type.Optional(Type.Boolean({ description: "False if disabled." })),
  },
  { $id: "SkillMetadata", description: "A skill." },
);
export interface SkillMetadata extends Static<typeof SkillMetadata> {}

export const SkillErrorInfo = Type.Object(
  {
    path: Type.String({ description: "The file." }),
    message: Type.String({ description: "Error message." }),
  },
  { $id: "SkillErrorInfo", description: "A skill that could not be loaded." },
);
export interface SkillErrorInfo extends Static<typeof SkillErrorInfo> {}

export const SkillsListEntry = Type.Object(
  {
    cwd: Type.String({ description: "Requested directory." }),
    skills: Type.Array(SkillMetadata, { description: "Skills of the directory." }),
    errors: Type.Array(SkillErrorInfo, { description: "Skills that could not be loaded." }),
  },
  { $id: "SkillsListEntry", description: "Skills of a directory." },
);
export interface SkillsListEntry extends Static<typeof SkillsListEntry> {}

export const ListCustomPromptsResponseEvent = Type.Object(
  {
    type: Type.Literal("list_custom_prompts_response"),
    custom_prompts: Type.Array(CustomPrompt, { description: "All prompts, sorted by name." }),
  },
  { $id: "ListCustomPromptsResponseEvent", description: "Response to `list_custom_prompts`." },
);
export interface ListCustomPromptsResponseEvent
  extends Static<typeof ListCustomPromptsResponseEvent> {}

export const ListSkillsResponseEvent = Type.Object(
  {
    type: Type.Literal("list_skills_response"),
    skills: Type.Array(SkillsListEntry, { description: "Skills by directory." }),
  },
  { $id: "ListSkillsResponseEvent", description: "Response to `list_skills`." },
);
export interface ListSkillsResponseEvent extends Static<typeof ListSkillsResponseEvent> {}

export const BackgroundCommand = Type.Object(
  {
    call_id: Nullish(Type.String(), { description: "Call of the model that started it." }),
    process_id: Type.String({ description: "Process id, as in the events of the command." }),
    command: Type.String({ description: "Command line." }),
    cwd: Type.String({ description: "Working directory." }),
    started_at_ms: Type.Integer({ description: "Start time in Unix milliseconds." }),
  },
  { $id: "BackgroundCommand", description: "A command of the model that is still running." },
);
export interface BackgroundCommand extends Static<typeof BackgroundCommand> {}

export const BackgroundCommandsEvent = Type.Object(
  {
    type: Type.Literal("background_commands"),
    commands: Type.Array(BackgroundCommand, { description: "Running commands, oldest first." }),
  },
  { $id: "BackgroundCommandsEvent", description: "Response to `list_background_commands`." },
);
export interface BackgroundCommandsEvent extends Static<typeof BackgroundCommandsEvent> {}

export const BackgroundCommandsEndedEvent = Type.Object(
  {
    type: Type.Literal("background_commands_ended"),
    process_ids: Type.Array(Type.String(), {
      description: "Processes that are being ended; their `exec_command_end` follows.",
    }),
  },
  {
    $id: "BackgroundCommandsEndedEvent",
    description: "Response to `end_background_commands`.",
  },
);
export interface BackgroundCommandsEndedEvent extends Static<typeof BackgroundCommandsEndedEvent> {}
