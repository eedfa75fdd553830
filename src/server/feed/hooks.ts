import type { HookRunSummary } from "../../protocol/rpc/v2/hook.js";
import type { Event, HookRun } from "../../protocol/types.js";
import type { Projections, ThreadProjection } from "./projection.js";

/** Projections of the runs of hooks. */
export const hookProjections = {
  hook_started: (event, projection) =>
    projection.notify("hook/started", { ...placeOf(event, projection), run: toRun(event.msg.run) }),
  hook_completed: (event, projection) =>
    projection.notify("hook/completed", {
      ...placeOf(event, projection),
      run: toRun(event.msg.run),
    }),
} satisfies Projections;

function placeOf({ turn_id }: Event, { threadId, turn }: ThreadProjection) {
  return { threadId, turnId: turn?.id ?? turn_id ?? null };
}

function toRun(run: HookRun): HookRunSummary {
  return {
    id: run.id,
    eventName: run.event_name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    handlerType: run.handler_type === "mcp_tool" ? "mcpTool" : run.handler_type,
    executionMode: run.execution_mode,
    scope: run.scope,
    sourcePath: run.source_path,
    source: run.source,
    displayOrder: run.display_order,
    status: run.status,
    statusMessage: run.status_message ?? null,
    startedAt: run.started_at,
    completedAt: run.completed_at ?? null,
    durationMs: run.duration_ms ?? null,
    entries: run.entries,
  };
}
