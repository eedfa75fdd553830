/** Access that a rule gives to a place; `deny` permits neither reading nor writing. */
export type FileAccess = "read" | "write" | "deny";

/** A place whose path depends on the machine or the session. */
export type SpecialPlace = "root" | "minimal" | "workspace_roots" | "tmpdir" | "slash_tmp";

/** The paths that a rule applies to, including everything below them. */
export type RulePlace =
  /** `subpath` is relative to the place, without `..`; absent: the place itself. */
  | { type: "special"; name: SpecialPlace; subpath?: string }
  /** An absolute path; it need not exist. */
  | { type: "path"; path: string }
  /**
   * A glob (`*`, `**`, `?`, `[…]`, `{…}`): absolute, or relative to `root`. Absent: to each workspace
   * root. The root is a plain path.
   */
  | { type: "glob"; pattern: string; root?: string };

/** A rule for files. The most specific place wins; among equal places the last rule wins. */
export interface FileRule {
  place: RulePlace;
  access: FileAccess;
  /** The key that sets it, such as `permissions.work.filesystem.":root"`, and its file: for explanations. */
  origin?: string;
  /** A denial of the administrator: no rule permits anything below the place. */
  isFinal?: true;
}

/** Rules for connections of commands. */
export interface NetworkRules {
  enabled: boolean;
  /**
   * Domains by pattern; absent: no restriction. Otherwise commands reach the network only through
   * our proxy. A pattern that denies always wins; if any pattern allows, all other hosts are denied.
   *
   * `example.org` is that host, `*.example.org` its subdomains, `**.example.org` both, `*` all
   * hosts. An IP address is a pattern too, for itself.
   */
  domains?: Readonly<Record<string, "allow" | "deny">>;
  /** Permits allowed names that resolve to loopback and private addresses (`allow_local_binding`). */
  localAddresses?: boolean;
  /** `limited` permits only the methods GET, HEAD and OPTIONS, so no encrypted connections (`mode`). */
  mode?: "full" | "limited";
  /** If false, the proxy refuses SOCKS5 (`enable_socks5`). */
  socks5?: boolean;
  /** Key and file of each rule, by its line of TOML (`enabled = true`): for explanations. */
  origins?: Readonly<Record<string, string>>;
}

/**
 * The rules that commands and tools of a turn follow: a permission profile with its parents applied,
 * or a sandbox mode with paths that the administrator denies.
 */
export interface PermissionRules {
  /** Name of the profile, such as `:workspace` or `work`; absent for a sandbox mode. */
  id?: string;
  /** Its parent, as the user wrote it. */
  extends?: string;
  /** `unrestricted`: everything is writable except for the rules with `deny`. */
  base: "restricted" | "unrestricted";
  files: readonly FileRule[];
  network: NetworkRules;
  /** Workspace roots besides the working directory, as absolute paths. */
  workspaceRoots: readonly string[];
  /** Depth to which globs are searched; absent: a default. */
  globScanMaxDepth?: number;
}
