import type { Route } from "./routed-model.js";

const patchText = `*** Begin Patch
*** Update File: boats.txt
@@
-three
+four
*** End Patch`;

/** Answers of the model to a user of the terminal UI, which also requests titles on its own. */
export const terminalRoutes: readonly Route[] = [
  { when: /task title/, answer: [{ message: '{"title":"Keep the harbour"}' }] },
  { when: /Say hello/, answer: [{ message: "Hello from the harbour." }] },
  {
    when: /Make a file/,
    answer: [
      {
        call: "exec_command",
        args: {
          cmd: "touch made.txt",
          sandbox_permissions: "require_escalated",
          justification: "May I make it?",
        },
      },
    ],
  },
  { when: /function_call_output/, answer: [{ message: "The file is made." }] },
  { when: /Add a boat/, answer: [{ apply_patch: patchText }] },
  { when: /custom_tool_call_output/, answer: [{ message: "The boat is added." }] },
  {
    when: /Count slowly/,
    answer: [{ message: "One, two, three.", deltas: ["One, ", "two, ", "three."], pause_ms: 1500 }],
  },
  { when: /Count backwards/, answer: [{ message: "Three, two, one." }] },
  {
    when: /Wait for the ferry/,
    answer: [
      { message: "The ferry is late.", deltas: ["The ferry ", "is ", "late."], pause_ms: 4000 },
    ],
  },
  { when: /logbook it|Begin another/, answer: [{ message: "Another logbook it is." }] },
  { when: /Take up/, answer: [{ message: "Here is the logbook." }] },
  { when: /review/i, answer: [{ message: reviewText() }] },
  { when: /summar|compact|handoff/i, answer: [{ message: "SUMMARY: a file was made." }] },
];

function reviewText(): string {
  const code_location = {
    absolute_file_path: "/workspace/boats.txt",
    line_range: { start: 1, end: 1 },
  };
  const finding = {
    title: "[P1] Boats sink",
    body: "There are too many.",
    confidence_score: 0.9,
    priority: 1,
    code_location,
  };
  return JSON.stringify({
    findings: [finding],
    overall_correctness: "patch is incorrect",
    overall_explanation: "Too many boats.",
    overall_confidence_score: 0.8,
  });
}
