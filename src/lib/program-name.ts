const usualName = "quire";

let name: string = usualName;

/**
 * Returns the command that starts this program, for texts that tell the user what to type.
 *
 * It belongs to the process as `argv[0]` does: a link or a wrapper called `codex` makes it `codex`.
 */
export function programName(): string {
  return name;
}

/** Sets the command; only the program does, before it runs anything. */
export function setProgramName(called: string): void {
  name = called;
}

/** Returns a text that was written for the usual command, such as help, for the current one. */
export function withProgramName(text: string): string {
  if (name === usualName) return text;
  return text.replace(/(?<![\w/.-])(_*)quire(?![A-Za-z0-9./]|-\w)/g, `$1${name}`);
}
