export {
  type ProjectDocOptions,
  type ProjectDocs,
  readProjectDocs,
} from "./agents-md.js";
export { type DiffToRemote, readDiffToRemote } from "./git/diff-to-remote.js";
export { readGitInfo } from "./git/info.js";
export { namesPrograms } from "./git/names-programs.js";
export { findGit } from "./git/program.js";
export { type CommitSummary, readRecentCommits } from "./git/recent-commits.js";
export { findRepository } from "./git/repository.js";
export { type Git, type GitPlace, withGit } from "./git/with-git.js";
export {
  agentsMdText,
  readUserInstructions,
  type UserInstructionsOptions,
  userInstructionsText,
} from "./instructions.js";
export { type NotifyOptions, notifyUser, type TurnNotification } from "./notify.js";
export { type PromptArgument, type PromptArguments, splitArguments } from "./prompts/arguments.js";
export { type ExpandedPrompt, expandPrompt, parsePromptCall } from "./prompts/expand.js";
export { type NamedArguments, parseNamedArguments } from "./prompts/named-arguments.js";
export { type PromptText, promptArgumentNames } from "./prompts/placeholders.js";
export { type PromptSources, readCustomPrompts } from "./prompts/read.js";
export { SkillCatalogue } from "./skills/catalogue.js";
export { walkSkillFolders } from "./skills/find-files.js";
export { readSkillMessages, type SkillMessages } from "./skills/inject.js";
export { loadSkills } from "./skills/load.js";
export { findMentions, type SkillMentions } from "./skills/mentions.js";
export type { SkillRoot, SkillSources, SkillsRefusal } from "./skills/roots.js";
export { noSkillsSection, skillsSection } from "./skills/section.js";
export { type SelectedSkills, type SkillChoice, selectSkills } from "./skills/select.js";
export type { LoadedSkills, Skill, SkillInterface, SkillTool } from "./skills/types.js";
