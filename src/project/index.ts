export { namesPrograms } from "./git/config-file.js";
export { type DiffToRemote, readDiffToRemote } from "./git/diff-to-remote.js";
export { readGitInfo } from "./git/info.js";
export { findGit } from "./git/program.js";
export { type CommitSummary, readRecentCommits } from "./git/recent-commits.js";
export { findRepository, type Repository } from "./git/repository.js";
export { type Git, type GitPlace, withGit } from "./git/with-git.js";
export {
  agentsMdText,
  type ProjectDocOptions,
  type ProjectDocs,
  readProjectDocs,
  readUserInstructions,
  type UserInstructionsOptions,
  userInstructionsText,
} from "./instructions.js";
export type { KeptWorktree } from "./kept-worktrees.js";
export { type NotifyOptions, notifyUser, type TurnNotification } from "./notify.js";
export {
  type NamedArguments,
  type PromptArgument,
  type PromptArguments,
  parseNamedArguments,
  splitArguments,
} from "./prompts/arguments.js";
export {
  type ExpandedPrompt,
  expandPrompt,
  type PromptText,
  parsePromptCall,
  promptArgumentNames,
} from "./prompts/expand.js";
export { type PromptSources, readCustomPrompts } from "./prompts/read.js";
export type { SamePlace } from "./same-place.js";
export type { LoadedSkills, Skill, SkillInterface, SkillTool } from "./skills/interface-file.js";
export { loadSkills, SkillCatalogue } from "./skills/load.js";
export {
  noSkillsSection,
  readSkillMessages,
  type SkillMessages,
  skillsSection,
} from "./skills/messages.js";
export type { SkillRoot, SkillSources, SkillsRefusal } from "./skills/roots.js";
export { walkSkillFolders } from "./skills/roots.js";
export {
  findMentions,
  type SelectedSkills,
  type SkillChoice,
  type SkillMentions,
  selectSkills,
} from "./skills/select.js";
