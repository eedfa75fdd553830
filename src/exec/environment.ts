/** The `shell_environment_policy` of the configuration. */
export interface EnvironmentPolicy {
  /** What to start with: everything, the few variables every program wants, or nothing. */
  inherit?: "all" | "core" | "none";
  /** Also passes on variables whose names tell of keys, secrets and tokens. */
  ignore_default_excludes?: boolean;
  /** Patterns of names to leave out. */
  exclude?: readonly string[];
  /** Variables to add. */
  set?: Readonly<Record<string, string>>;
  /** When not empty, patterns of the only names to keep. */
  include_only?: readonly string[];
}

/** What a command's environment is made from. */
export interface EnvironmentSources {
  policy: EnvironmentPolicy;
  /** Our own environment. */
  inherited: Readonly<Record<string, string | undefined>>;
  /** False: commands are told that there is no network. */
  network: boolean;
  /** The thread the command runs for; told to it when given. */
  threadId?: string;
}

/**
 * Builds the environment of a command.
 *
 * Names are compared without regard to case. Unless the policy says otherwise, variables that look like
 * keys, secrets or tokens are not passed on.
 */
export function commandEnvironment(sources: EnvironmentSources): Record<string, string> {
  const env = shellEnvironment(sources.policy, sources.inherited);
  if (!sources.network) env.CODEX_SANDBOX_NETWORK_DISABLED = "1";
  if (sources.threadId !== undefined) env.CODEX_THREAD_ID = sources.threadId;
  return env;
}

/** The part of a command's environment that the policy decides. */
export function shellEnvironment(
  policy: EnvironmentPolicy,
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const defaults = policy.ignore_default_excludes === true ? [] : secretNames;
  const excluded = matcher([...defaults, ...(policy.exclude ?? [])]);
  const included = matcher(policy.include_only ?? []);
  const start = startSet(policy.inherit ?? "all", inherited);
  const kept = start.filter(([name]) => !excluded(name));
  const all = Object.entries({ ...Object.fromEntries(kept), ...policy.set });
  const wanted = policy.include_only?.length ? all.filter(([name]) => included(name)) : all;
  return Object.fromEntries(wanted);
}

/**
 * What sessions of `exec_command` set on top, so that programs write plain text and never stop in a
 * pager.
 */
export const sessionVariables: Readonly<Record<string, string>> = {
  NO_COLOR: "1",
  TERM: "dumb",
  LANG: "C.UTF-8",
  LC_CTYPE: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  COLORTERM: "",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  CODEX_CI: "1",
};

/** Patterns of names that hold what must not be shown. */
const secretNames: readonly string[] = ["*KEY*", "*SECRET*", "*TOKEN*"];

const coreNames = new Set([
  "HOME",
  "LOGNAME",
  "PATH",
  "Path",
  "SHELL",
  "USER",
  "USERNAME",
  "TMPDIR",
  "TEMP",
  "TMP",
]);

function startSet(
  inherit: "all" | "core" | "none",
  inherited: Readonly<Record<string, string | undefined>>,
): [string, string][] {
  if (inherit === "none") return [];
  return Object.entries(inherited).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (inherit === "all" || coreNames.has(entry[0])),
  );
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map(toExpression);
  return (name) => expressions.some((expression) => expression.test(name));
}

/** `*` stands for any characters, `?` for one. */
function toExpression(pattern: string): RegExp {
  const body = pattern
    .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${body}$`, "is");
}
