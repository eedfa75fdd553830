import { expect, test } from "vitest";
import { toLoggedItem } from "../../../src/server/history/items.js";

test("a command recorded by a later version is shown", () => {
  const item = toLoggedItem({
    type: "CommandExecution",
    id: "c1",
    process_id: "7",
    command: ["/bin/bash", "-lc", "echo out"],
    cwd: "file:///project/place",
    parsed_cmd: [{ type: "unknown", cmd: "echo out" }],
    source: "unified_exec_startup",
    status: "completed",
    aggregated_output: "out\n",
    exit_code: 0,
    duration: { secs: 1, nanos: 500_000_000 },
  });

  expect(item).toEqual({
    type: "commandExecution",
    id: "c1",
    pluginId: null,
    scriptPath: null,
    command: "/bin/bash -lc 'echo out'",
    cwd: "/project/place",
    processId: "7",
    source: "unifiedExecStartup",
    status: "completed",
    commandActions: [{ type: "unknown", command: "echo out" }],
    aggregatedOutput: "out\n",
    exitCode: 0,
    durationMs: 1500,
  });
});

test("file changes recorded by a later version are shown, malformed ones are not", () => {
  const change = { type: "delete", content: "bye\n" };
  const items = [
    { type: "FileChange", id: "p1", changes: { "/a": change }, status: "completed" },
    { type: "FileChange", id: "p2" },
    { type: "CommandExecution", id: "c2", command: "no list" },
    { type: "Unheard", id: "u1" },
    { type: "FileChange" },
    null,
  ];

  expect(items.map(toLoggedItem)).toEqual([
    {
      type: "fileChange",
      id: "p1",
      changes: [{ path: "/a", kind: { type: "delete" }, diff: "bye\n" }],
      status: "completed",
    },
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("reviews recorded by a later version are shown with their text", () => {
  const code_location = { absolute_file_path: "/a", line_range: { start: 1, end: 2 } };
  const findings = [{ title: "Leak", body: "It drips.", code_location }, { title: "half" }];
  const items = [
    { type: "EnteredReviewMode", id: "e", user_facing_hint: "current changes" },
    { type: "ExitedReviewMode", id: "x", review_output: { findings, overall_explanation: "No." } },
    { type: "ExitedReviewMode", id: "y", review_output: null },
  ];

  expect(items.map(toLoggedItem)).toEqual([
    { type: "enteredReviewMode", id: "e", review: "current changes" },
    {
      type: "exitedReviewMode",
      id: "x",
      review: "No.\n\nReview comment:\n\n- Leak — /a:1-2\n  It drips.",
    },
    { type: "exitedReviewMode", id: "y", review: "Reviewer failed to output a response." },
  ]);
});
