import { hookEventNames, hookEvents } from "./events.js";
import type { HookHandler } from "./handler.js";
import type { HookFunction, HookFunctions } from "./hooks.js";
import type { LoadedHook } from "./load.js";
import { compileMatcher } from "./matcher.js";

/** Options for the hooks of a session. */
export interface HooksOptions {
  functions?: HookFunctions;
  /** Runs hooks that the user has not trusted. */
  bypassTrust?: boolean;
  /** Failures of functions block, whatever the program says; files have it in their hooks. */
  deniesFailures?: boolean;
  /** Environment of commands; default: that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** A hook that may run. */
export interface PreparedHook
  extends Pick<
    LoadedHook,
    "event" | "timeoutSec" | "isAsync" | "statusMessage" | "additionalContextLimit" | "onFailure"
  > {
  handler: HookHandler | { type: "function"; run: HookFunction };
  matches(names: readonly string[]): boolean;
  sourcePath: string;
  source: string;
  displayOrder: number;
}

/** Prepares a hook of a file. */
export function fromFile(hook: LoadedHook): PreparedHook {
  const { kind, path } = hook.source;
  return { ...hook, matches: compileMatcher(hook.matcher), sourcePath: path, source: kind };
}

/** Prepares the functions of an embedder; `first` is the display order of the first one. */
export function fromFunctions(
  { functions = {}, deniesFailures = false }: HooksOptions,
  first: number,
): PreparedHook[] {
  return hookEventNames
    .flatMap((event) => (functions[event] ?? []).map((given) => ({ event, given })))
    .map(({ event, given }, index) => {
      const hook = typeof given === "function" ? { run: given } : given;
      const { run, matcher, timeoutSec, onFailure = "continue" } = hook;
      const { hasMatcher, timeout } = hookEvents[event];
      return {
        event,
        handler: { type: "function", run },
        matches: compileMatcher(hasMatcher ? matcher : undefined),
        timeoutSec: Math.min(timeoutSec ?? timeout.usual, timeout.most),
        isAsync: false,
        statusMessage: undefined,
        additionalContextLimit: undefined,
        onFailure: deniesFailures ? "deny" : onFailure,
        sourcePath: "",
        source: "function",
        displayOrder: first + index,
      };
    });
}
