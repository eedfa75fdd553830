import type { HookRunSummary } from "./rpc/v2/hook.js";

/** Describes a run of a hook that failed, blocked or stopped something; undefined for others. */
export function describeHookRun(run: HookRunSummary): string | undefined {
  const verb = verbs[run.status as keyof typeof verbs];
  if (verb === undefined) return undefined;
  const reason = run.entries
    .filter(({ kind }) => kind === verb.kind)
    .map(({ text }) => text)
    .join("\n");
  return `${hookEvent(run)} hook ${verb.text}${reason === "" ? "" : `: ${reason}`}`;
}

/** Like `describeHookRun`, with the file of the hook. */
export function describeHookRunWithFile(run: HookRunSummary): string | undefined {
  const text = describeHookRun(run);
  const file = run.sourcePath === "" ? "" : ` (${run.sourcePath})`;
  return text === undefined ? undefined : `${text}${file}`;
}

/** Returns the event of a run, as `hooks.json` names it. */
export function hookEvent({ eventName }: { eventName: string }): string {
  return `${eventName.charAt(0).toUpperCase()}${eventName.slice(1)}`;
}

const verbs = {
  failed: { text: "failed", kind: "error" },
  blocked: { text: "blocked", kind: "feedback" },
  stopped: { text: "stopped", kind: "stop" },
} as const;
