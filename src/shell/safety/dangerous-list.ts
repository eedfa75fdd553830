/** Which commands are asked about even where others would run, and refused where nobody can be asked. */
export interface DangerousList {
  /** A few words for explanations. */
  name: string;
  /** When `rm` counts: `-f` or `-rf` as its first argument, or force in any spelling. */
  forcedRm: "never" | "first argument" | "any spelling";
  /** Whether `git` commands that throw work away count. */
  git: boolean;
  /** Programs whose arguments are a command of their own. */
  wrappers: ReadonlySet<string>;
  /**
   * How scripts are searched: only plain sequences, commands anywhere in them, or all that a command
   * may run, however it is wrapped and quoted.
   */
  scripts: "plain" | "anywhere" | "everything";
  /** Whether opening web pages and forced deletion on Windows count. */
  windows: boolean;
}

/** In 2025 there was no such list. */
export const dangerousListOf2025: DangerousList = {
  name: "dangerous commands of 2025 (none)",
  forcedRm: "never",
  git: false,
  wrappers: new Set(),
  scripts: "plain",
  windows: false,
};

/** The list of early 2026. */
export const dangerousListOf2026: DangerousList = {
  name: "dangerous commands of 2026",
  forcedRm: "first argument",
  git: true,
  wrappers: new Set(["sudo"]),
  scripts: "plain",
  windows: true,
};

/** The latest list: forced `rm` alone, wherever it hides. */
export const latestDangerousList: DangerousList = {
  name: "latest dangerous commands",
  forcedRm: "any spelling",
  git: false,
  wrappers: new Set(["sudo", "env", "trap"]),
  scripts: "anywhere",
  windows: true,
};

/** The list of our own: all that any other has, wherever it hides. It holds unless an era is set. */
export const strictestDangerousList: DangerousList = {
  name: "dangerous commands",
  forcedRm: "any spelling",
  git: true,
  wrappers: new Set(),
  scripts: "everything",
  windows: true,
};
