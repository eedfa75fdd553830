/**
 * Message that lets the agent write an AGENTS.md.
 *
 * @internal
 */
export const initPrompt = [
  "Write an AGENTS.md file at the root of this project with what a new contributor needs to know.",
  "Explore the project first. Describe how to build, test and lint it, with the commands; how the code",
  "is organized; conventions that are not obvious; and what must not be changed. Keep it under a page",
  "and leave out the obvious. If the file already exists, improve it instead of rewriting it.",
].join(" ");
