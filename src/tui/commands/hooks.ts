import { hookEvent } from "../../protocol/hook-run-text.js";
import type { HookMetadata } from "../../protocol/rpc/v2/hook.js";
import { hang } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/hooks` */
export const hooks: SlashCommand = {
  name: "hooks",
  summary: "Review, trust and disable hooks",
  isAlwaysReady: true,
  async run(context) {
    let selected = 0;
    for (;;) {
      const list = await readHooks(context);
      if (list === undefined) return;
      const choices = choicesOf(list);
      const chosen = await context.ui.pick<HookMetadata | "all">({
        title: "Hooks",
        text: summaryOf(list),
        choices,
        selected: Math.min(selected, choices.length - 1),
      });
      if (chosen === undefined) return;
      if (chosen === "all") await trustAll(context, list.filter(isWaiting));
      else await review(context, chosen);
      selected = Math.max(
        0,
        choices.findIndex(({ value }) => value === chosen),
      );
    }
  },
};

/** Returns the hooks by event; undefined if there are none, or if they are not understood. */
async function readHooks(context: CommandContext): Promise<HookMetadata[] | undefined> {
  const { server, session, ui } = context;
  const cwd = session.conversation.status.settings?.cwd ?? ui.cwd;
  const { data } = await server.request("hooks/list", { cwds: [cwd] });
  const errors = data.flatMap((entry) => entry.errors);
  if (errors.length > 0) {
    printError(context, errors.map(({ message }) => message).join("\n"));
    return undefined;
  }
  const list = data.flatMap((entry) => entry.hooks);
  if (list.length === 0) {
    const hint = "Hooks are in hooks.json of your config directory, or in [hooks] of config.toml";
    printNotice(context, "There are no hooks", hint);
    return undefined;
  }
  const events = [...new Set(list.map(({ eventName }) => eventName))];
  return events.flatMap((event) => list.filter(({ eventName }) => eventName === event));
}

function choicesOf(list: readonly HookMetadata[]) {
  const waiting = list.filter(isWaiting).length;
  const label = `Trust all ${waiting}`;
  const all = { value: "all" as const, label, description: "after reading each of them" };
  return [
    ...list.map((hook) => ({
      value: hook,
      label: `${hookEvent(hook)}${hook.matcher ? ` ${hook.matcher}` : ""}`,
      description: `${stateOf(hook)} · ${hook.source} · ${handlerOf(hook)}`,
    })),
    ...(waiting > 1 ? [all] : []),
  ];
}

function summaryOf(list: readonly HookMetadata[]): string {
  const waiting = list.filter(isWaiting).length;
  if (waiting === 0) return "Select one to see it, or to turn it off.";
  return waiting === 1
    ? "1 hook is not trusted and does not run. Read it before you trust it."
    : `${waiting} hooks are not trusted and do not run. Read them before you trust them.`;
}

/** Shows one hook and what can be done with it. */
async function review(context: CommandContext, hook: HookMetadata): Promise<void> {
  const chosen = await context.ui.pick({
    title: `${hookEvent(hook)} hook, ${stateOf(hook)}`,
    text: detailsOf(hook).join("\n"),
    choices: actionsOf(hook),
  });
  if (chosen === "show") {
    const title = `${hookEvent(hook)} hook`;
    await context.ui.pages(title, ({ width }) => hang(sanitize(handlerOf(hook)), width, ""));
    await review(context, hook);
  } else if (chosen === "trust") {
    await save(context, hook, { trusted_hash: hook.currentHash }, "Trusted");
  } else if (chosen === "enable" || chosen === "disable") {
    const enabled = chosen === "enable";
    await save(context, hook, { enabled }, enabled ? "Enabled" : "Disabled");
  }
}

function actionsOf(hook: HookMetadata) {
  const back = { value: "back" as const, label: "Back" };
  const show = { value: "show" as const, label: "Show all of it" };
  const seen = startOf(hook) === handlerOf(hook) ? [] : [show];
  if (hook.isManaged) return [...seen, back];
  const trust = { value: "trust" as const, label: "Trust it as it is now" };
  const toggle = hook.enabled
    ? ({ value: "disable", label: "Disable it" } as const)
    : ({ value: "enable", label: "Enable it" } as const);
  return [...seen, ...(isTrusted(hook) ? [] : [trust]), toggle, back];
}

function detailsOf(hook: HookMetadata): string[] {
  const failure = hook.onFailure === "deny" ? ", a failure blocks" : "";
  return [
    startOf(hook),
    hook.matcher ? `for ${hook.matcher}` : "for everything",
    `from ${hook.sourcePath} (${hook.source})`,
    `at most ${hook.timeoutSec} s${failure}`,
    hook.isManaged
      ? "Your administrator set it."
      : "It runs outside of the sandbox, with your permissions.",
  ];
}

async function trustAll(context: CommandContext, list: readonly HookMetadata[]): Promise<void> {
  const isSure = await context.ui.pick({
    title: `Trust ${list.length} hooks?`,
    isWarning: true,
    text: "They run outside of the sandbox, with your permissions.",
    choices: [
      { value: false, label: "No" },
      { value: true, label: "Yes, I have read them" },
    ],
  });
  if (isSure !== true) return;
  await saveEach(
    context,
    list.map((hook) => ({ hook, state: { trusted_hash: hook.currentHash } })),
    `Trusted ${list.length} hooks`,
  );
}

async function save(
  context: CommandContext,
  hook: HookMetadata,
  state: object,
  done: string,
): Promise<void> {
  // A table of a key is replaced as a whole by some servers.
  const kept = hook.trustStatus === "trusted" ? { trusted_hash: hook.currentHash } : {};
  const enabled = hook.enabled ? {} : { enabled: false };
  const own = { hook, state: { ...kept, ...enabled, ...state } };
  await saveEach(context, [own], `${done} the ${hookEvent(hook)} hook: ${handlerOf(hook)}`);
}

/** Stores decisions in the user's config.toml; the session follows from its next turn on. */
async function saveEach(
  context: CommandContext,
  states: readonly { hook: HookMetadata; state: object }[],
  done: string,
): Promise<void> {
  const value = Object.fromEntries(states.map(({ hook, state }) => [hook.key, state]));
  const edit = { keyPath: "hooks.state", value, mergeStrategy: "upsert" } as const;
  try {
    await context.server.request("config/batchWrite", { edits: [edit], reloadUserConfig: true });
    printNotice(context, done);
  } catch (error) {
    printError(context, "Could not save it to config.toml", error);
  }
}

function isTrusted({ trustStatus }: HookMetadata): boolean {
  return trustStatus === "trusted" || trustStatus === "managed";
}

function isWaiting(hook: HookMetadata): boolean {
  return hook.enabled && !isTrusted(hook);
}

function stateOf({ enabled, trustStatus }: HookMetadata): string {
  if (!enabled) return "disabled";
  return trustStatus === "modified" ? "changed since trusted" : trustStatus;
}

function handlerOf({ command, url, server, tool }: HookMetadata): string {
  return command ?? url ?? `MCP tool ${tool ?? ""} of ${server ?? ""}`;
}

/** The part of a long script that leaves room for the choices on a small screen. */
function startOf(hook: HookMetadata): string {
  const text = handlerOf(hook);
  const start = text.split("\n").slice(0, 3).join("\n").slice(0, 160);
  return start === text ? text : `${start}…`;
}
