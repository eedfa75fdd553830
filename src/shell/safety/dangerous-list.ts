/** Commands that require approval even where others run, and are refused if approval is not possible. */
export interface DangerousList {
  /** Short name for explanations. */
  name: string;
  /** Forms of `rm` that count: `-f` or `-rf` as its first argument, or force in any spelling. */
  forcedRm: "never" | "first argument" | "any spelling";
  /** Includes `git` commands that discard work. */
  git: boolean;
  /** Programs whose arguments are another command. */
  wrappers: ReadonlySet<string>;
  /**
   * How scripts are searched: only plain sequences, commands anywhere in them, or everything that a
   * command may run, in any wrapping and quoting.
   */
  scripts: "plain" | "anywhere" | "everything";
  /** Includes opening web pages and forced deletion on Windows. */
  windows: boolean;
}

/** There was no such list until August 2025. */
export const dangerousListOf2025: DangerousList = {
  name: "dangerous commands of 2025 (none)",
  forcedRm: "never",
  git: false,
  wrappers: new Set(),
  scripts: "plain",
  windows: false,
};

/** The list of early 2026. That of September 2025 had fewer forms of `git`. */
export const dangerousListOf2026: DangerousList = {
  name: "dangerous commands of 2026",
  forcedRm: "first argument",
  git: true,
  wrappers: new Set(["sudo"]),
  scripts: "plain",
  windows: true,
};

/** The latest list: only forced `rm`, anywhere. */
export const latestDangerousList: DangerousList = {
  name: "latest dangerous commands",
  forcedRm: "any spelling",
  git: false,
  wrappers: new Set(["sudo", "env", "trap"]),
  scripts: "anywhere",
  windows: true,
};

/** The default list, unless an era is set: all entries of the others, anywhere. */
export const strictestDangerousList: DangerousList = {
  name: "dangerous commands",
  forcedRm: "any spelling",
  git: true,
  wrappers: new Set(),
  scripts: "everything",
  windows: true,
};
