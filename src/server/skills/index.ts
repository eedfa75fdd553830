export { SkillLists, ThreadSkills } from "./lists.js";
export { SkillWatch } from "./watch.js";
