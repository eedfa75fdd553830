import type { Requirements } from "../../config/index.js";
import { hookEventNames } from "../../hooks/index.js";
import type { ConfigRequirements } from "../../protocol/rpc/v2/config-requirements.js";

/** Converts the requirements of the administrator to v2. */
export function toConfigRequirements({
  values,
  approval,
  sandbox,
  reviewer,
}: Requirements): ConfigRequirements {
  const { features, feature_requirements, windows } = values;
  const fixed = { ...features, ...feature_requirements };
  const implementations = (windows as Details | undefined)?.allowed_sandbox_implementations;
  return {
    ...unset,
    allowedLoginMethods: [...(values.allowed_login_methods ?? ["api", "chatgpt"])].sort(),
    cliAuthCredentialsStore: values.cli_auth_credentials_store ?? null,
    chatgptBaseUrl: values.chatgpt_base_url ?? null,
    additionalDeveloperInstructions: values.additional_developer_instructions ?? null,
    allowedApprovalPolicies: approval.values ?? null,
    allowedApprovalsReviewers: reviewer.values ?? null,
    allowedSandboxModes: sandbox.values ?? null,
    allowedWindowsSandboxImplementations: (implementations as string[] | undefined) ?? null,
    allowedPermissionProfiles: values.allowed_permission_profiles ?? null,
    defaultPermissions: values.default_permissions ?? null,
    allowedWebSearchModes: values.allowed_web_search_modes ?? null,
    allowManagedHooksOnly: values.allow_managed_hooks_only ?? null,
    allowBrowserAndComputerUse: flag(values.allow_browser_and_computer_use),
    allowAppshots: flag(values.allow_appshots),
    allowRemoteControl: flag(values.allow_remote_control),
    computerUse: table(values.computer_use),
    browserUse: table(values.browser_use),
    inAppBrowser: table(values.in_app_browser),
    hooks: values.hooks === undefined ? null : toManagedHooks(values.hooks),
    featureRequirements: Object.keys(fixed).length === 0 ? null : fixed,
    logDir: values.log_dir ?? null,
    checkForUpdateOnStartup: flag(values.check_for_update_on_startup),
    allowLoginShell: flag(values.allow_login_shell),
    feedback: table(values.feedback),
  };
}

/** Fields that no file can set here. */
const unset = {
  modelProvider: null,
  modelProviders: null,
  enforceResidency: null,
  network: null,
  application: null,
  autoReview: null,
  models: null,
  sqliteHome: null,
  modelCatalogJson: null,
  otel: null,
};

type Details = Record<string, unknown>;

/** Every event has a list, and every handler all fields of its kind. */
function toManagedHooks({
  managed_dir: managedDir = null,
  windows_managed_dir: windowsManagedDir = null,
  ...events
}: Details): Details {
  const lists = hookEventNames.map((event) => [event, groupsOf(events[event]).map(toGroup)]);
  return { managedDir, windowsManagedDir, ...Object.fromEntries(lists) };
}

function toGroup({ matcher = null, hooks }: Details): Details {
  return { matcher, hooks: groupsOf(hooks).map(toHandler) };
}

function toHandler({ timeout = null, ...handler }: Details): Details {
  const fields = { ...(inCamelCase(handler) as Details), timeoutSec: timeout };
  if (handler.type !== "command") return { statusMessage: null, ...fields };
  const unset = { commandWindows: null, async: false, statusMessage: null };
  return { ...unset, additionalContextLimit: null, ...fields };
}

/** Mistakes are reported by the sessions, which they prevent. */
function groupsOf(value: unknown): Details[] {
  const list = Array.isArray(value) ? value : [];
  return list.filter((one) => typeof one === "object" && one !== null);
}

function flag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function table(value: unknown): Details | null {
  return typeof value === "object" && value !== null ? (inCamelCase(value) as Details) : null;
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    inCamelCase(inner),
  ]);
  return Object.fromEntries(entries);
}
