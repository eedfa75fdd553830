import Type, { type Static } from "typebox";
import { described, Nullish, since } from "../../schema.js";
import { turnId } from "./fields.js";

export const HookRunEntry = Type.Object(
  {
    kind: Type.Enum(["warning", "stop", "feedback", "context", "error"], {
      description: "Meaning of the text.",
    }),
    text: Type.String({ description: "Text of the hook, or the reason that it failed." }),
  },
  { $id: "HookRunEntry", description: "A part of the answer of a hook." },
);
export interface HookRunEntry extends Static<typeof HookRunEntry> {}

export const HookRun = Type.Object(
  {
    id: Type.String({ description: "Id of the run; unique among the runs of a turn and call." }),
    event_name: Type.String({ description: "Event in snake case, such as `pre_tool_use`." }),
    handler_type: Type.Enum(["command", "mcp_tool", "http", "function"], {
      description: "Kind of the hook.",
    }),
    execution_mode: Type.Enum(["sync", "async"], {
      description: "Whether the engine waits for it.",
    }),
    scope: Type.Enum(["thread", "turn"], { description: "Whether it belongs to a turn." }),
    source_path: Type.String({ description: "File that declares the hook." }),
    source: Type.String({ description: "Origin of the file: `user`, `project`, `system`…" }),
    display_order: Type.Integer({ description: "Position among all hooks." }),
    status: Type.Enum(["running", "completed", "failed", "blocked", "stopped"], {
      description: "State of the run.",
    }),
    status_message: Nullish(Type.String(), { description: "Text to show while it runs." }),
    started_at: Type.Integer({ description: "Start, in Unix milliseconds." }),
    completed_at: Nullish(Type.Integer(), { description: "End, in Unix milliseconds." }),
    duration_ms: Nullish(Type.Integer(), { description: "Duration in milliseconds." }),
    entries: Type.Array(HookRunEntry, { description: "Parts of its answer." }),
  },
  { $id: "HookRun", description: "A run of a hook." },
);
export interface HookRun extends Static<typeof HookRun> {}

export const HookStartedEvent = since(
  "0.166",
  Type.Object(
    {
      type: Type.Literal("hook_started"),
      turn_id: turnId,
      run: described(HookRun, "The run."),
    },
    { $id: "HookStartedEvent", description: "A hook has started." },
  ),
);
export interface HookStartedEvent extends Static<typeof HookStartedEvent> {}

export const HookCompletedEvent = since(
  "0.166",
  Type.Object(
    {
      type: Type.Literal("hook_completed"),
      turn_id: turnId,
      run: described(HookRun, "The run."),
    },
    { $id: "HookCompletedEvent", description: "A hook has ended." },
  ),
);
export interface HookCompletedEvent extends Static<typeof HookCompletedEvent> {}
