/** The word at the cursor that a completion would replace. */
export interface CompletionToken {
  /** `/` a command, `@` a file, `$` a skill. */
  sign: "/" | "@" | "$";
  /** What stands behind the sign, up to the cursor. */
  query: string;
}

/** Finds what is being completed, from the text before the cursor. */
export function completionToken(before: string): CompletionToken | undefined {
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command !== null) return { sign: "/", query: command[1] ?? "" };
  const word = /(?:^|\s)([@$])([^\s@$]*)$/.exec(before);
  if (word === null) return undefined;
  // An amount of money is no skill.
  if (word[1] === "$" && /^\d/.test(word[2] ?? "")) return undefined;
  return { sign: word[1] as "@" | "$", query: word[2] ?? "" };
}
