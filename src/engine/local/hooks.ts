import type { Config } from "../../config/index.js";
import {
  createHooks,
  type HookFunctions,
  type HookHandler,
  type HookServices,
  type Hooks,
  isTrusted,
  type LoadedHook,
  loadHooks,
  untrustedBlockers,
} from "../../hooks/index.js";
import { programName } from "../../lib/program-name.js";
import { CodexError } from "../../protocol/error.js";

/** Options of the hooks of this machine. */
export interface LocalHookOptions {
  /** Functions of the embedding program. */
  functions?: HookFunctions;
  /**
   * Handling of hooks that the user has not trusted: skip them with a warning, reject sessions in which
   * they could block something, or run them. `skip` is the default.
   */
  untrusted?: "skip" | "reject" | "run";
}

/** Creates the hooks of the settings and of the embedding program; undefined if none may run. */
export function createLocalHooks(
  config: Pick<Config, "hooks" | "hook_states" | "requirements">,
  services: HookServices,
  { env, functions = {}, untrusted = "skip" }: LocalHookOptions & { env: Environment },
): Hooks | undefined {
  assertFunctionsAllowed(functions, config);
  const loaded = loadHooks(config.hooks, config.hook_states);
  for (const warning of loaded.warnings) services.warn(warning);
  const waiting = loaded.hooks.filter((hook) => hook.isEnabled && !isTrusted(hook));
  const bypassTrust = untrusted === "run";
  if (untrusted === "reject") assertTrusted(config);
  if (waiting.length > 0) services.warn(bypassTrust ? bypassed : skippedText(waiting));
  const deniesFailures = config.requirements?.values.on_failure === "deny";
  return createHooks(loaded, services, { env, functions, bypassTrust, deniesFailures });
}

/** Throws if the embedding program has hooks and the administrator allows only managed ones. */
function assertFunctionsAllowed(
  functions: HookFunctions,
  { requirements }: Pick<Config, "requirements">,
): void {
  if (requirements?.values.allow_managed_hooks_only !== true) return;
  if (Object.keys(functions).length === 0) return;
  const place = requirements.placeOf(["allow_managed_hooks_only"]);
  throw new CodexError(
    "config",
    `${place}: \`allow_managed_hooks_only\` allows no hooks of the embedding program; omit \`hooks\` of \`new Codex\``,
    { data: { reason: "hooks" } },
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws if hooks are not understood, or if one that could block something is not trusted. */
export function assertTrusted({ hooks, hook_states }: Pick<Config, "hooks" | "hook_states">): void {
  const waiting = untrustedBlockers(loadHooks(hooks, hook_states));
  if (waiting.length === 0) return;
  const message = [
    "What these hooks forbid would be allowed, because they are not trusted and do not run:",
    ...waiting.map(lineOf),
    `${remedy()} \`--dangerously-bypass-hook-trust\` runs them without trust.`,
  ];
  const data = { reason: "untrusted_hooks", keys: waiting.map(({ key }) => key) };
  throw new CodexError("config", message.join("\n"), { data });
}

/** The reference's text, which scripts may know. */
const bypassed =
  "`--dangerously-bypass-hook-trust` is enabled. Enabled hooks may run without review for this invocation.";

function skippedText(waiting: readonly LoadedHook[]): string {
  const head = "These hooks are not trusted and do not run:";
  return [head, ...waiting.map(lineOf), remedy()].join("\n");
}

function remedy(): string {
  return `Review and trust them with \`${programName()} hooks trust\`, or with /hooks in the terminal UI.`;
}

function lineOf({ event, key, handler, trustStatus }: LoadedHook): string {
  const changed = trustStatus === "modified" ? ", changed since it was trusted" : "";
  return `- ${event} (${key}${changed}): ${describeHandler(handler)}`;
}

function describeHandler(handler: HookHandler): string {
  if (handler.type === "command") return handler.command;
  if (handler.type === "http") return handler.url;
  return `MCP tool ${handler.server}/${handler.tool}`;
}
