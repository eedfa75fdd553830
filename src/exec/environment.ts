/** The `shell_environment_policy` of the configuration. */
export interface EnvironmentPolicy {
  /** Variables to start with: all, a core set, or none. */
  inherit?: "all" | "core" | "none";
  /** If true, also passes variables whose names contain KEY, SECRET or TOKEN. */
  ignore_default_excludes?: boolean;
  /** Patterns of names to exclude. */
  exclude?: readonly string[];
  /** Variables to add. */
  set?: Readonly<Record<string, string>>;
  /** If not empty, patterns of the only names to include. */
  include_only?: readonly string[];
}

/** Inputs for the environment of a command. */
export interface EnvironmentSources {
  policy: EnvironmentPolicy;
  /** Our own environment. */
  inherited: Readonly<Record<string, string | undefined>>;
  /** If false, a variable marks the network as disabled. */
  network: boolean;
  /** The thread that the command runs for, and the variables that name it to the command. */
  thread?: { id: string; variables: readonly ThreadVariable[] };
}

/** A variable that names the thread to the commands of it. */
export type ThreadVariable = (typeof threadVariables)[number];

/** Every such variable. */
export const threadVariables = ["CODEX_THREAD_ID", "CODEX_SESSION_ID"] as const;

/**
 * Builds the environment of a command.
 *
 * Names are compared case-insensitively. By default, variables whose names look like keys, secrets
 * or tokens are removed.
 */
export function commandEnvironment(sources: EnvironmentSources): Record<string, string> {
  const env = shellEnvironment(sources.policy, sources.inherited);
  if (!sources.network) env.CODEX_SANDBOX_NETWORK_DISABLED = "1";
  const { thread } = sources;
  for (const name of thread?.variables ?? []) env[name] = thread?.id ?? "";
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
  return Object.fromEntries(wanted.filter(([name]) => !withheld.has(name.toUpperCase())));
}

/** Credentials of the program that started us, which no policy passes on. */
const withheld = new Set([
  "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN",
  "NODE_REPL_AUTH_TOKEN",
  "OPENAI_FEDERATION_RULE_ID",
  "OPENAI_IDENTITY_TOKEN_FILE",
  "OPENAI_WORKLOAD_IDENTITY_CONTEXT",
]);

/** Additional variables of `exec_command` sessions: plain text output and no pager. */
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

/** Patterns of names that hold secrets. */
const secretNames: readonly string[] = ["*KEY*", "*SECRET*", "*TOKEN*"];

const coreNames = new Set([
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
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
      entry[1] !== undefined && (inherit === "all" || coreNames.has(entry[0].toUpperCase())),
  );
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map(toExpression);
  return (name) => expressions.some((expression) => expression.test(name));
}

/** `*` matches any characters, `?` exactly one. */
function toExpression(pattern: string): RegExp {
  const body = pattern
    .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${body}$`, "is");
}
