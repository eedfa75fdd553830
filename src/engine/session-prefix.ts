/**
 * Whether a message of the user's role was put there by the engine.
 *
 * Such messages do not count where the user's own are counted: in forks, previews and summaries.
 */
export function isSessionPrefix(text: string): boolean {
  const start = text.trimStart().slice(0, longest).toLowerCase();
  return openings.some((opening) => start.startsWith(opening));
}

const openings = [
  "<environment_context>",
  "<user_instructions>",
  "# agents.md instructions for ",
  "<skill>",
  "<user_shell_command>",
  "<turn_aborted>",
];
const longest = Math.max(...openings.map((opening) => opening.length));
