const usualName = "quire";

let name: string = usualName;

/**
 * Returns the command that starts this program, for texts that show the user a command line.
 *
 * It is a property of the process, like `argv[0]`: a link or a wrapper named `codex` makes it
 * `codex`.
 */
export function programName(): string {
  return name;
}

/** Sets the command; called only by the program, before anything else. */
export function setProgramName(called: string): void {
  name = called;
}

/** Replaces the default command in a text, such as help, with the current one. */
export function withProgramName(text: string): string {
  if (name === usualName) return text;
  return text.replace(/(?<![\w/.-])(_*)quire(?![A-Za-z0-9./]|-\w)/g, `$1${name}`);
}
