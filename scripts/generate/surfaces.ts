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

/** Everything that is described, in the order a reader meets it. */
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

/** A file of checks: what one surface has to check, so that it loads nothing else. */
export interface CheckFile {
  name: string;
  checks: readonly string[];
  /** Taken as any tagged object here, because another file checks it. */
  open: readonly string[];
}

/** The files of checks in `src/protocol/checks`. */
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

/** The files in `schema/` and the shape each describes. */
export const schemaFiles: Readonly<Record<string, string>> = {
  "submission.schema.json": "Submission",
  "event.schema.json": "Event",
  "rollout-line.schema.json": "RolloutLine",
  "response-item.schema.json": "ResponseItem",
  "history-entry.schema.json": "HistoryEntry",
};
