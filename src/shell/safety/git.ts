/** A `git` command, split at its subcommand. */
export interface GitCommand {
  subcommand: string;
  /** Options between `git` and the subcommand. */
  globals: readonly string[];
  args: readonly string[];
}

const globalsWithValue = new Set([
  "-C",
  "-c",
  "--config-env",
  "--exec-path",
  "--git-dir",
  "--namespace",
  "--super-prefix",
  "--work-tree",
]);

/** Splits the arguments of `git` at the subcommand, the first word that is not an option. */
export function readGitCommand(args: readonly string[]): GitCommand | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (globalsWithValue.has(arg)) {
      index += 1;
    } else if (!arg.startsWith("-")) {
      return { subcommand: arg, globals: args.slice(0, index), args: args.slice(index + 1) };
    }
  }
  return undefined;
}

/** Returns true if `git` only reads the repository and the subcommand is its first word. */
export function readsRepositoryNamedFirst(args: readonly string[]): boolean {
  return args[0]?.startsWith("-") === false && readsRepository(args);
}

/**
 * Returns true if `git` only reads the repository; options before the subcommand may change the
 * directory.
 */
export function readsRepository(args: readonly string[]): boolean {
  const command = readGitCommand(args);
  if (command === undefined || !command.globals.every(isHarmlessGlobal)) return false;
  if (command.args.some(writesOrRuns)) return false;
  if (command.subcommand === "branch") return listsBranches(command.args);
  return /^(?:status|log|diff|show)$/.test(command.subcommand);
}

// `-c`, `--exec-path` and `--paginate` choose programs to run; `--git-dir` and `--work-tree` choose
// a configuration that does. `-C` only changes the directory.
const harmlessGlobals = new Set([
  "-C",
  "-P",
  "--no-pager",
  "--no-optional-locks",
  "--no-replace-objects",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs",
]);

function isHarmlessGlobal(arg: string, index: number, all: readonly string[]): boolean {
  return harmlessGlobals.has(arg) || all[index - 1] === "-C";
}

// These write a file or start another program (a diff driver, a pager, gpg).
const writingOptions = [
  "--output",
  "--ext-diff",
  "--textconv",
  "--exec",
  "--paginate",
  "--show-signature",
];

function writesOrRuns(arg: string): boolean {
  if (arg.startsWith("-c") || arg.startsWith("--config-env") || arg.includes("%G")) return true;
  // git accepts any unambiguous abbreviation of a long option; `--text` is a separate option.
  const name = arg.split("=", 1)[0] ?? "";
  if (name.length <= 3 || name === "--text") return false;
  return writingOptions.some((option) => option.startsWith(name));
}

const listingFlags =
  /^(?:--list|-l|--show-current|-a|--all|-r|--remotes|-v|-vv|--verbose|--format=.*)$/s;

function listsBranches(args: readonly string[]): boolean {
  return args.every((arg) => listingFlags.test(arg));
}
