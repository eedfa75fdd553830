import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { HookRunEntry } from "../../sqeq/events/hook.js";
import { defineNotification } from "../declare.js";

const ms = (description: string) => Nullable(Type.Integer(), { description });

export const HookRunSummary = Type.Object(
  {
    id: Type.String({ description: "Id of the run; unique among the runs of a turn and call." }),
    eventName: Type.String({ description: "Event in camel case, such as `preToolUse`." }),
    handlerType: Type.Enum(["command", "mcpTool", "http", "function"], {
      description: "Kind of the hook.",
    }),
    executionMode: Type.Enum(["sync", "async"], {
      description: "Whether the turn waits for it.",
    }),
    scope: Type.Enum(["thread", "turn"], { description: "Whether it belongs to a turn." }),
    sourcePath: Type.String({ description: "File that declares the hook." }),
    source: Type.String({ description: "Origin of the file: `user`, `project`, `system`…" }),
    displayOrder: Type.Integer({ description: "Position among all hooks." }),
    status: Type.Enum(["running", "completed", "failed", "blocked", "stopped"], {
      description: "State of the run.",
    }),
    statusMessage: Nullable(Type.String(), { description: "Text to show while it runs." }),
    startedAt: Type.Integer({ description: "Start, in Unix milliseconds." }),
    completedAt: ms("End, in Unix milliseconds."),
    durationMs: ms("Duration in milliseconds."),
    entries: Type.Array(HookRunEntry, { description: "Parts of its answer." }),
  },
  { $id: "HookRunSummary", description: "A run of a hook." },
);
export interface HookRunSummary extends Static<typeof HookRunSummary> {}

const params = {
  threadId: Type.String({ description: "Thread id." }),
  turnId: Nullable(Type.String(), { description: "Turn id, if a turn is active." }),
  run: described(HookRunSummary, "The run."),
};

export const HookStartedNotification = Type.Object(params, {
  $id: "HookStartedNotification",
  description: "A hook has started.",
});
export interface HookStartedNotification extends Static<typeof HookStartedNotification> {}

export const HookCompletedNotification = Type.Object(params, {
  $id: "HookCompletedNotification",
  description: "A hook has ended.",
});
export interface HookCompletedNotification extends Static<typeof HookCompletedNotification> {}

export const hookMethods = [
  defineNotification({
    name: "hook/started",
    summary: "A hook has started.",
    scope: "thread",
    params: HookStartedNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "hook/completed",
    summary: "A hook has ended, with what it decided.",
    scope: "thread",
    params: HookCompletedNotification,
    since: "0.166",
  }),
];
