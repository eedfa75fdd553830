import type { TSchema } from "typebox";
import { ResponseItem } from "../../src/protocol/items/response.js";
import { ResponseInputItem } from "../../src/protocol/items/response-input.js";
import { ShellToolCallParams } from "../../src/protocol/items/shell.js";
import { ToolSpec } from "../../src/protocol/items/tool-spec.js";
import { RolloutLine } from "../../src/protocol/rollout.js";
import { Event } from "../../src/protocol/sqeq/event.js";
import { HistoryEntry } from "../../src/protocol/sqeq/events/session.js";
import { EventMsg } from "../../src/protocol/sqeq/events.generated.js";
import { Op } from "../../src/protocol/sqeq/ops.generated.js";
import { Submission } from "../../src/protocol/sqeq/submission.js";

/** Root schemas in the order of the documentation. */
export const roots: readonly TSchema[] = [
  Submission,
  Op,
  Event,
  EventMsg,
  ResponseItem,
  ResponseInputItem,
  ToolSpec,
  ShellToolCallParams,
  RolloutLine,
  HistoryEntry,
];

/** A file of checks: those that one surface needs, so that it loads no others. */
export interface CheckFile {
  name: string;
  checks: readonly string[];
  /** Shapes accepted as any object here, because another file checks them. */
  open: readonly string[];
}

/** Check files in `src/protocol/checks`. */
export const checkFiles: readonly CheckFile[] = [
  {
    name: "sqeq",
    checks: ["Op", "InputItem", "SandboxPolicy", "AskForApproval", "ReviewDecision"],
    open: [],
  },
  {
    name: "items",
    checks: ["ResponseItem", "ResponseInputItem", "ShellToolCallParams", "HistoryEntry"],
    open: [],
  },
  {
    name: "rollout",
    checks: ["SessionMetaLine", "TurnContextItem", "CompactedItem"],
    open: ["ResponseItem"],
  },
  { name: "events", checks: ["Event", "EventMsg", "FileChange"], open: [] },
];

/** Files in `schema/` and their root shapes. */
export const schemaFiles: Readonly<Record<string, string>> = {
  "submission.schema.json": "Submission",
  "event.schema.json": "Event",
  "rollout-line.schema.json": "RolloutLine",
  "response-item.schema.json": "ResponseItem",
  "history-entry.schema.json": "HistoryEntry",
};
