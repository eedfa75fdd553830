import type { Answer } from "../../model/scripted/index.js";

/** What the scripted model of the demo says and does. Everything it sets off is real. */
export const demoAnswers: Answer[] = [
  [say("I will look at the project first."), shell(["ls"], "look")],
  [
    {
      call: "update_plan",
      call_id: "plan-1",
      args: plan("completed", "in_progress", "pending", "pending"),
    },
    shell(["cat", "greet.js", "test.js"], "read"),
  ],
  [say("Now the test, to see what is wrong."), shell(["node", "test.js"], "fail")],
  [
    say("The greeting ends with a question mark. I will change that."),
    {
      call: "update_plan",
      call_id: "plan-2",
      args: plan("completed", "completed", "in_progress", "pending"),
    },
    {
      apply_patch_via_shell: [
        "*** Begin Patch",
        "*** Update File: greet.js",
        "@@",
        '-exports.greet = (name) => "Hello, " + name + "?";',
        '+exports.greet = (name) => "Hello, " + name + "!";',
        "*** End Patch",
      ].join("\n"),
      call_id: "patch",
    },
  ],
  [shell(["node", "test.js"], "pass")],
  [
    {
      call: "update_plan",
      call_id: "plan-3",
      args: plan("completed", "completed", "completed", "completed"),
    },
  ],
  [say("The test passes. I changed one character in `greet.js`.")],
];

function say(message: string) {
  return { message, deltas: 6, pause_ms: 8 };
}

function shell(command: string[], call_id: string) {
  return { call: "shell", args: { command }, call_id };
}

type Status = "pending" | "in_progress" | "completed";

function plan(...statuses: [Status, Status, Status, Status]) {
  const steps = ["Look around", "Find the mistake", "Mend it", "Check"];
  return { plan: steps.map((step, index) => ({ step, status: statuses[index] })) };
}
