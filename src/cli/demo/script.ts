import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Answer } from "../../model/scripted/index.js";

/** Answers of the scripted model of the demo. Their effects are real. */
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

/** The provider and the model of the demo. */
export const demoProvider = "demo";
export const demoModel = "scripted-model";

/** A small project with a mistake in it, in a temporary folder. */
export interface DemoProject {
  workspace: string;
  home: string;
  remove(): Promise<void>;
}

/** Creates the project of the demo; the caller removes it. */
export async function createDemoProject(): Promise<DemoProject> {
  const root = await mkdtemp(join(tmpdir(), "quire-demo-"));
  const [workspace, home] = [join(root, "greeter"), join(root, "home")];
  await Promise.all([mkdir(workspace), mkdir(home)]);
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
  await initRepository(workspace);
  return { workspace, home, remove: () => rm(root, { recursive: true, force: true }) };
}

const files = {
  "greet.js": `exports.greet = (name) => "Hello, " + name + "?";\n`,
  "test.js": `const assert = require("node:assert");
const { greet } = require("./greet.js");

assert.strictEqual(greet("world"), "Hello, world!");
console.log("1 test passed");
`,
};

/** The demo works without git too; only its diff is then shown without commits. */
async function initRepository(folder: string): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", [
      "-C",
      folder,
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "user.name=demo",
      "-c",
      "user.email=demo@localhost",
      ...args,
    ]);
  try {
    await git("init", "--quiet");
    await git("add", ".");
    await git("commit", "--quiet", "--no-gpg-sign", "--message", "A greeter");
  } catch {
    // no git on this machine
  }
}
