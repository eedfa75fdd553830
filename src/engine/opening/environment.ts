import type { FileRule, PermissionRules, RulePlace } from "../../protocol/permission-rules.js";
import type { AskForApproval, ResponseItem, SandboxPolicy } from "../../protocol/types.js";
import { enforcedPolicy } from "../../sandbox/index.js";
import { userMessage } from "../messages.js";
import type { TurnContext } from "../turn-context.js";

/** Facts about the environment for the model; omitted ones are left out of the text. */
export interface EnvironmentContext {
  cwd?: string;
  approval_policy?: AskForApproval;
  sandbox_policy?: SandboxPolicy;
  /** Files of the permission profile, as XML. */
  filesystem?: string;
  /** The user's shell by its bare name. */
  shell?: string;
}

/** Returns the settings that are part of the environment. */
export function environmentOf(context: TurnContext): EnvironmentContext {
  const { cwd, approval_policy, sandbox_policy } = context;
  const environment = { cwd, approval_policy, sandbox_policy };
  return hasOwnRules(context) ? { ...environment, filesystem: filesystemOf(context) } : environment;
}

/** Returns the environment as an opening message. */
export function environmentMessage(environment: EnvironmentContext): ResponseItem {
  return userMessage(environmentText(environment));
}

/** The environment as text: one line a fact, in a fixed order. */
export function environmentText(environment: EnvironmentContext): string {
  const lines = [
    ...element("cwd", environment.cwd),
    ...element("approval_policy", environment.approval_policy),
    ...sandboxLines(environment.sandbox_policy),
    ...element("filesystem", environment.filesystem),
    ...element("shell", environment.shell),
  ];
  return ["<environment_context>", ...lines, "</environment_context>"].join("\n");
}

/** Returns true if the model must get the new environment; a change of shell does not count. */
export function environmentDiffers(a: EnvironmentContext, b: EnvironmentContext): boolean {
  return environmentText({ ...a, shell: "" }) !== environmentText({ ...b, shell: "" });
}

function sandboxLines(policy: SandboxPolicy | undefined): string[] {
  if (policy === undefined) return [];
  return [
    ...element("sandbox_mode", policy.mode),
    ...element("network_access", hasNetwork(policy) ? "enabled" : "restricted"),
    ...rootLines(policy),
  ];
}

function rootLines(policy: SandboxPolicy): string[] {
  const roots = policy.mode === "workspace-write" ? (policy.writable_roots ?? []) : [];
  if (roots.length === 0) return [];
  const lines = roots.map((root) => `    <root>${root}</root>`);
  return ["  <writable_roots>", ...lines, "  </writable_roots>"];
}

function hasNetwork(policy: SandboxPolicy): boolean {
  if (policy.mode === "danger-full-access") return true;
  return policy.mode === "workspace-write" && policy.network_access === true;
}

function element(name: string, value: string | undefined): string[] {
  return value === undefined || value === "" ? [] : [`  <${name}>${value}</${name}>`];
}

/** Returns the environment in the format of the newest eras: cwd, shell, date and permissions. */
export function surroundingsMessage(
  { context, shell }: { context: TurnContext; shell: string | undefined },
  now: number,
): ResponseItem {
  const place = [
    `  <cwd>${context.cwd}</cwd>`,
    ...(shell === undefined ? [] : [`  <shell>${shell}</shell>`]),
  ];
  return surroundings(place, context, now);
}

/** Returns the permissions as part of the environment, after a change; empty if the model knows them. */
export function permissionsChange(
  before: TurnContext,
  after: TurnContext,
  now: number,
): ResponseItem[] {
  const hasProfile = before.permissions !== undefined || after.permissions !== undefined;
  const isSame = before.cwd !== after.cwd || filesystemOf(before) === filesystemOf(after);
  return !hasProfile || isSame ? [] : [surroundings([], after, now)];
}

function surroundings(place: readonly string[], context: TurnContext, now: number): ResponseItem {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return userMessage(
    [
      "<environment_context>",
      ...place,
      `  <current_date>${localDate(now)}</current_date>`,
      `  <timezone>${timeZone}</timezone>`,
      `  <filesystem>${filesystemOf(context)}</filesystem>`,
      "</environment_context>",
    ].join("\n"),
  );
}

function filesystemOf(context: TurnContext): string {
  const { cwd, sandbox_policy } = context;
  const roots = `<workspace_roots><root>${cwd}</root></workspace_roots>`;
  const profile = hasOwnRules(context)
    ? profileOfRules(context.permissions, cwd)
    : profileOf(sandbox_policy, cwd);
  return `${roots}${profile}`;
}

/** Returns true if a permission profile says more than a sandbox mode. */
function hasOwnRules<Context extends TurnContext>(
  context: Context,
): context is Context & { permissions: PermissionRules } {
  return context.permissions !== undefined && enforcedPolicy(context).rules !== undefined;
}

/** Describes the rules of a permission profile. */
function profileOfRules(rules: PermissionRules, cwd: string): string {
  const depth =
    rules.globScanMaxDepth === undefined ? "" : ` glob_scan_max_depth="${rules.globScanMaxDepth}"`;
  const all: FileRule = { place: { type: "special", name: "root" }, access: "write" };
  const files = rules.base === "unrestricted" ? [all, ...rules.files] : rules.files;
  const entries = files.flatMap(({ place, access }) => {
    const attributes =
      access === "deny" ? ' access="deny" escalatable="false"' : ` access="${access}"`;
    return placesOf(place, [cwd, ...rules.workspaceRoots]).map(
      (text) => `<entry${attributes}>${text}</entry>`,
    );
  });
  return `<permission_profile type="managed"><file_system type="restricted"${depth}>${entries.join("")}</file_system></permission_profile>`;
}

/** Returns the elements for a place: one for each workspace root if it depends on them. */
function placesOf(place: RulePlace, roots: readonly string[]): string[] {
  if (place.type === "path") return [`<path>${place.path}</path>`];
  if (place.type === "glob") {
    const { pattern, root: own } = place;
    const under = own === undefined ? roots : [own];
    const patterns = pattern.startsWith("/")
      ? [pattern]
      : under.map((root) => `${root}/${pattern}`);
    return patterns.map((one) => `<glob>${one}</glob>`);
  }
  if (place.name !== "workspace_roots") return [`<special>:${place.name}</special>`];
  const below = place.subpath === undefined ? "" : `/${place.subpath}`;
  return roots.map((root) => `<path>${root}${below}</path>`);
}

function localDate(now: number): string {
  const date = new Date(now);
  const [month, day] = [date.getMonth() + 1, date.getDate()];
  return `${date.getFullYear()}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Describes the files that commands can access; unrestricted if there is no sandbox here. */
function profileOf(policy: SandboxPolicy, cwd: string): string {
  if (policy.mode === "danger-full-access" || policy.mode === "external-sandbox") {
    const type = policy.mode === "external-sandbox" ? "external" : "disabled";
    return `<permission_profile type="${type}"><file_system type="unrestricted" /></permission_profile>`;
  }
  const roots = policy.mode === "workspace-write" ? [cwd, ...(policy.writable_roots ?? [])] : [];
  const entries = [
    '<entry access="read"><special>:root</special></entry>',
    ...roots.map((root) => `<entry access="write"><path>${root}</path></entry>`),
    ...temporaryPlaces(policy).map(
      (name) => `<entry access="write"><special>:${name}</special></entry>`,
    ),
    ...roots.flatMap((root) =>
      protectedNames.map((name) => `<entry access="read"><path>${root}/${name}</path></entry>`),
    ),
  ];
  return `<permission_profile type="managed"><file_system type="restricted">${entries.join("")}</file_system></permission_profile>`;
}

/** Folders of a writable root that commands can only read. */
const protectedNames = [".git", ".agents", ".codex"];

/** Returns the temporary folders that commands can write to. */
function temporaryPlaces(policy: SandboxPolicy): string[] {
  if (policy.mode !== "workspace-write") return [];
  const { exclude_slash_tmp, exclude_tmpdir_env_var } = policy;
  return [
    ...(exclude_slash_tmp === true ? [] : ["slash_tmp"]),
    ...(exclude_tmpdir_env_var === true ? [] : ["tmpdir"]),
  ];
}
