/** Origin of a file with hooks, as in `hooks/list`. */
export type HookSourceKind =
  | "system"
  | "user"
  | "project"
  | "sessionFlags"
  | "legacyManagedConfigFile";

/** A file or table that declares hooks; its content is not checked yet. */
export interface HookSource {
  kind: HookSourceKind;
  /** The file, which is also a part of the keys of its hooks. */
  path: string;
  /** The file in messages, if it is another one. */
  file?: string;
  /** True for hooks of the administrator: they need no trust and cannot be disabled. */
  isManaged: boolean;
  /** The content, `{ hooks: { EVENT: […] } }`; absent if it could not be parsed. */
  content?: unknown;
  /** The reason that it could not be parsed; `lineOf` returns the line. */
  problem?: string;
  /** Set by the administrator: a failure of any of its hooks denies, whatever `on_failure` they set. */
  onFailure?: "deny";
  /** Returns the line of a path such as `["hooks", "PreToolUse", "0", "matcher"]`. */
  lineOf(path: readonly string[]): number | undefined;
}

/** Decisions of the user about hooks, by key: `[hooks.state."KEY"]`. */
export type HookStates = Readonly<Record<string, unknown>>;
