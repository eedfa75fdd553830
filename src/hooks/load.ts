import { dirname } from "node:path";
import { CodexError } from "../protocol/error.js";
import type { HookSource, HookStates } from "../protocol/hook-source.js";
import { hookEventNames, hookEvents, isHookEvent } from "./events.js";
import { type CheckedHandler, checkHandler } from "./handler.js";
import type { HookEventName } from "./hooks.js";
import { type HookTrust, hookHash, trustOf } from "./identity.js";
import { compileMatcher } from "./matcher.js";
import { bothForms, isRecord, Problems, stateProblems, unknownEvent } from "./problems.js";

/** A hook of a file, whether it may run or not. */
export interface LoadedHook extends Omit<CheckedHandler, "identity" | "onFailure"> {
  /** `FILE:EVENT:GROUP:HANDLER`, which names it in `hooks.state`. */
  key: string;
  event: HookEventName;
  /** Undefined also where the event ignores it. */
  matcher: string | undefined;
  source: Pick<HookSource, "kind" | "path" | "isManaged">;
  /** Position among all hooks. */
  displayOrder: number;
  onFailure: "deny" | "continue";
  isEnabled: boolean;
  currentHash: string;
  trustStatus: HookTrust;
}

/** Hooks of all sources, in the order in which they run. */
export interface LoadedHooks {
  hooks: readonly LoadedHook[];
  /** Remarks for the user that prevent nothing. */
  warnings: readonly string[];
}

/** Loads hooks; throws one `CodexError` for everything that is not understood. */
export function loadHooks(sources: readonly HookSource[], states: HookStates): LoadedHooks {
  const { problems, ...loaded } = checkHooks(sources, states);
  if (problems.length === 0) return loaded;
  const lines = problems.map(({ message }) => message);
  const remedy =
    "Hooks that are not understood do not run, so no session starts. Correct them, or set " +
    "`features.hooks = false` in your config.toml to work without hooks.";
  throw new CodexError("config", [...lines, remedy].join("\n"), {
    data: { reason: "hooks", source: problems[0]?.path },
  });
}

/** Like `loadHooks`, with the problems by file instead of an error. */
export function checkHooks(
  sources: readonly HookSource[],
  states: HookStates,
): LoadedHooks & { problems: readonly { path: string; message: string }[] } {
  const hooks: LoadedHook[] = [];
  const warnings: string[] = [];
  const problems = stateProblems(states);
  for (const [index, source] of sources.entries()) {
    const before = sources[index - 1];
    const first = hooks.length;
    const found = new Problems(source);
    for (const hook of hooksOf(source, found)) {
      hooks.push(withState(hook, hooks.length, states, found));
    }
    problems.push(...found.found.problems.map((message) => ({ path: source.path, message })));
    warnings.push(...found.found.warnings);
    const isSecond = before !== undefined && dirname(before.path) === dirname(source.path);
    if (isSecond && hooks.length > first && hooks.at(first - 1)?.source === before) {
      warnings.push(bothForms(before.path, source.path));
    }
  }
  return { hooks, warnings, problems };
}

/** Returns the hooks that could block something and do not run, because the user has not trusted them. */
export function untrustedBlockers({ hooks }: Pick<LoadedHooks, "hooks">): LoadedHook[] {
  return hooks.filter((hook) => !isTrusted(hook) && hook.isEnabled && canBlock(hook));
}

/** Returns true if a hook may run as far as trust decides. */
export function isTrusted({ trustStatus }: Pick<LoadedHook, "trustStatus">): boolean {
  return trustStatus === "trusted" || trustStatus === "managed";
}

/** Returns true if a hook can prevent something; one that runs in the background cannot. */
export function canBlock({ event, isAsync, onFailure }: LoadedHook): boolean {
  const { canBlock: blocks, canDeny } = hookEvents[event];
  return !isAsync && (blocks || (canDeny && onFailure === "deny"));
}

/** A hook without the decisions of the user. */
type DeclaredHook = Omit<LoadedHook, "displayOrder" | "isEnabled" | "trustStatus">;

function hooksOf(source: HookSource, problems: Problems): DeclaredHook[] {
  if (source.problem !== undefined) {
    problems.add(source.problem);
    return [];
  }
  const { content } = source;
  if (!isRecord(content)) {
    problems.expected('an object such as {"hooks": {"PreToolUse": […]}}', content);
    return [];
  }
  problems.unknownKeys(content, ["hooks", "description"]);
  const { hooks = {} } = content;
  const at = problems.at("hooks");
  if (!isRecord(hooks)) {
    at.expected("a table of events", hooks);
    return [];
  }
  for (const event of Object.keys(hooks)) if (!isHookEvent(event)) unknownEvent(event, at);
  return hookEventNames.flatMap((event) =>
    hooks[event] === undefined ? [] : hooksOfEvent(event, hooks[event], source, at.at(event)),
  );
}

function hooksOfEvent(
  event: HookEventName,
  groups: unknown,
  source: HookSource,
  problems: Problems,
): DeclaredHook[] {
  if (!Array.isArray(groups)) {
    problems.expected("a list of groups with `matcher` and `hooks`", groups);
    return [];
  }
  return groups.flatMap((group: unknown, index) => {
    const at = problems.at(index);
    if (!isRecord(group)) {
      at.expected("a group with `matcher` and `hooks`", group);
      return [];
    }
    at.unknownKeys(group, ["matcher", "hooks"]);
    const matcher = matcherOf(group, event, at.at("matcher"));
    const { hooks: handlers } = group;
    if (!Array.isArray(handlers)) {
      at.at("hooks").expected("a list of handlers", handlers);
      return [];
    }
    return handlers.flatMap((value: unknown, place): DeclaredHook[] => {
      const facts = hookEvents[event];
      const handler = checkHandler(value, facts, event, at.at("hooks", place));
      if (handler === undefined) return [];
      const { identity, onFailure: own, ...rest } = handler;
      const onFailure = source.onFailure ?? own ?? "continue";
      const key = `${source.path}:${facts.key}:${index}:${place}`;
      const currentHash = hookHash(facts, matcher, identity);
      return [{ ...rest, key, event, matcher, source, onFailure, currentHash }];
    });
  });
}

function matcherOf(
  { matcher }: Readonly<Record<string, unknown>>,
  event: HookEventName,
  problems: Problems,
): string | undefined {
  if (matcher === undefined || matcher === null) return undefined;
  if (typeof matcher !== "string") return problems.expected("a string", matcher);
  try {
    compileMatcher(matcher);
  } catch (error) {
    return problems.expected(`a regular expression: ${(error as Error).message}`, matcher);
  }
  return hookEvents[event].hasMatcher ? matcher : undefined;
}

function withState(
  hook: DeclaredHook,
  displayOrder: number,
  states: HookStates,
  problems: Problems,
): LoadedHook {
  const { isManaged } = hook.source;
  const state = Object.hasOwn(states, hook.key) ? states[hook.key] : undefined;
  const { enabled, trusted_hash: hash } = isRecord(state) ? state : {};
  const isValid =
    (state === undefined || isRecord(state)) &&
    (enabled === undefined || typeof enabled === "boolean") &&
    (hash === undefined || typeof hash === "string");
  if (!isValid) {
    const place = `\`hooks.state."${hook.key}"\``;
    problems.add(`${place}: expected trusted_hash = "sha256:…" and enabled = true or false`);
  }
  return {
    ...hook,
    displayOrder,
    isEnabled: isManaged || enabled !== false,
    trustStatus: trustOf(isManaged, typeof hash === "string" ? hash : undefined, hook.currentHash),
  };
}
