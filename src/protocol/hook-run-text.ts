import type { HookRunSummary } from "./rpc/v2/hook.js";

/** Describes a run of a hook that failed, blocked or stopped something; undefined for others. */
export function describeHookRun(run: HookRunSummary): string | undefined {
  const verb = verbs[run.status as keyof typeof verbs];
  if (verb === undefined) return undefined;
  const reason = run.entries
    .filter(({ kind }) => kind === verb.kind)
    .map(({ text }) => text)
    .join("\n");
  return `A ${hookName(run)} ${verb.text}${reason === "" ? "" : `: ${reason}`}`;
}

/** Names a hook by its event and file. */
export function hookName({ eventName, sourcePath }: HookRunSummary): string {
  const event = `${eventName.charAt(0).toUpperCase()}${eventName.slice(1)}`;
  return sourcePath === "" ? `${event} hook of the program` : `${event} hook of ${sourcePath}`;
}

const verbs = {
  failed: { text: "failed", kind: "error" },
  blocked: { text: "blocked", kind: "feedback" },
  stopped: { text: "stopped", kind: "stop" },
} as const;
