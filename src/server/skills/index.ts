export { SkillLists } from "./lists.js";
export { ThreadSkills } from "./thread-skills.js";
export { SkillWatch } from "./watch.js";
