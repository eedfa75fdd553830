import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { listenScriptedModel, type Script } from "../../src/model/scripted/index.js";
import { quireCommand } from "../../test/support/bin.js";
import { startTerminal, type TestTerminal } from "../../test/support/terminal.js";

const patch = (from: string, to: string) => [
  { call: "shell", args: { command: ["apply_patch", patchText(from, to)] } },
];

function patchText(from: string, to: string): string {
  return `*** Begin Patch\n*** Update File: greeting.txt\n@@\n-${from}\n+${to}\n*** End Patch`;
}

const finding = {
  findings: [],
  overall_correctness: "patch is correct",
  overall_explanation: "The greeting and the goodbye are both in French. Nothing to change.",
  overall_confidence_score: 0.9,
};

/** Answers of the model, in place of those of a local model. */
const script: Script = [
  patch("Hello!", "Bonjour !"),
  [{ message: "The greeting is in French now." }],
  [
    {
      call: "exec_command",
      args: {
        cmd: "git commit -qam 'Greet in French' && git log --oneline | wc -l",
        sandbox_permissions: "require_escalated",
        justification: "May I commit the change? The sandbox protects .git.",
      },
    },
  ],
  [{ message: "It is committed." }],
  [
    {
      message:
        "This is what I would do.\n<proposed_plan>\n# Say goodbye\n\n1. Change `greeting.txt`\n2. Check the spelling\n</proposed_plan>\n",
    },
  ],
  patch("Bonjour !", "Bonjour et au revoir !"),
  [{ message: "The goodbye is there." }],
  [{ message: JSON.stringify(finding) }],
];

/** A part of the page: a heading, what to do, and the screen after it. */
interface Part {
  heading: string;
  text: string;
  play(terminal: TestTerminal): Promise<string>;
}

const parts: readonly Part[] = [
  {
    heading: "Choose a model",
    text: "Run `quire` in the folder of your project. The first start asks where the model is. Here `4` selects a local model; it has to be running.",
    play: (terminal) => terminal.until(/Which model do you want to use\?[\s\S]*esc/),
  },
  {
    heading: "Trust the folder",
    text: "A new folder is asked about once. `Enter` trusts it.",
    async play(terminal) {
      await terminal.type("4");
      return terminal.until(/Do you trust[\s\S]*esc/);
    },
  },
  {
    heading: "The first task",
    text: "Describe a task and press `Enter`. Changes are shown as they are made, and a line ends the turn.",
    async play(terminal) {
      await terminal.keys("Enter");
      await say(terminal, "greet in French");
      return idle(terminal, /in French now\.[\s\S]*1 file changed/);
    },
  },
  {
    heading: "An approval",
    text: "What the sandbox does not allow is asked first: ask for a commit. `y` approves once, `n` denies and goes on, `d` tells the agent what to do instead.",
    async play(terminal) {
      await say(terminal, "commit it");
      return terminal.until(/Allow this command[\s\S]*\(esc\)/);
    },
  },
  {
    heading: "A plan",
    text: "After `y`, `Shift+Tab` switches plan mode on: nothing can be changed until you accept a plan.",
    async play(terminal) {
      await terminal.type("y");
      await idle(terminal, /It is committed\.[\s\S]*tokens/);
      await terminal.keys("BTab");
      await terminal.until("Plan mode is on");
      await say(terminal, "say goodbye too");
      return terminal.until(/Implement this plan\?[\s\S]*esc cancel/);
    },
  },
  {
    heading: "Implement it",
    text: "`Enter` takes the first choice.",
    async play(terminal) {
      await terminal.keys("Enter");
      return idle(terminal, /The goodbye is there\.[\s\S]*1 file changed/);
    },
  },
  {
    heading: "A review",
    text: "`/review` and `1` review the uncommitted changes.",
    async play(terminal) {
      await say(terminal, "/review ");
      await terminal.until("What do you want to review?");
      await terminal.type("1");
      return idle(terminal, /Nothing to change\.[\s\S]*tokens/);
    },
  },
  {
    heading: "Rewind",
    text: "`Esc` twice lists your messages; `Enter` takes the last one. The files that would change are shown before you choose.",
    async play(terminal) {
      await terminal.keys("Escape");
      await terminal.until("press esc again");
      await terminal.keys("Escape");
      await terminal.until("Return to before which message?");
      await terminal.keys("Enter");
      return terminal.until(/What should be rewound\?[\s\S]*esc cancel/);
    },
  },
  {
    heading: "Afterwards",
    text: "`2` rewinds both. What was said stays above, but the agent no longer knows it. The message is in the composer again, and `/rewind undo` takes it all back.",
    async play(terminal) {
      await terminal.type("2");
      return terminal.until(/rewound, 1 file restored[\s\S]*› /);
    },
  },
  {
    heading: "Quit",
    text: "`Ctrl+C` clears the composer, `Ctrl+D` quits. The last lines name the command that continues the session.",
    async play(terminal) {
      await terminal.keys("C-c");
      await terminal.until("Describe a task");
      await terminal.keys("C-d");
      return terminal.until("ended with 0");
    },
  },
  {
    heading: "Resume",
    text: "`quire resume` lists the sessions of the folder, with a preview of the selected one.",
    async play(terminal) {
      await terminal.restart("resume");
      return terminal.until(/Select a session[\s\S]*│[\s\S]*esc cancel/);
    },
  },
  {
    heading: "Go on",
    text: "`Enter` opens it, and you go on where you were. `?` lists all keys and commands.",
    async play(terminal) {
      await terminal.keys("Enter");
      return idle(terminal, /It is committed\./);
    },
  },
];

/** Plays the first hour of a new user in the built program; resolves with the page about it. */
export async function writeFirstHour(program: string): Promise<string> {
  const model = await listenScriptedModel({ script });
  try {
    const env = { OPENAI_API_KEY: "", CODEX_OSS_BASE_URL: model.baseUrl, EDITOR: "", VISUAL: "" };
    const size = { columns: 80, rows: 28 };
    await using terminal = await startTerminal({
      ...size,
      program,
      env,
      wholeConfig: "",
      isIdle: true,
      files: { "greeting.txt": "Hello!\n" },
    });
    await commit(terminal.workspace);
    const { stdout: help } = await promisify(execFile)(...quireCommand(["--help"], program));
    await terminal.restart();
    const screens: string[] = [];
    for (const { heading, text, play } of parts) {
      const screen = plain(await play(terminal), terminal);
      screens.push(`## ${heading}`, text, fenced(screen));
    }
    return `${[...intro(help), ...screens].join("\n\n")}\n`;
  } finally {
    await model.close();
  }
}

function intro(help: string): string[] {
  return [
    "# The first hour",
    "<!-- Written by `node scripts/run.mjs scripts/pictures/main.ts`; a test plays it again. -->",
    "From `quire --help` to a session that is resumed, with the screens of a terminal of 80 columns. " +
      "The answers come from a script, so yours will differ. [The terminal UI](tui.md) has all keys and commands.",
    "## Find out what there is",
    "`quire --help` begins with:",
    fenced(help.split("\n").slice(0, 14).join("\n").trimEnd()),
  ];
}

/** Replaces what differs from run to run. */
function plain(screen: string, { home, workspace }: TestTerminal): string {
  return screen
    .replaceAll(workspace, "~/workspace")
    .replaceAll(home, "~/.codex")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "SESSION-ID")
    .replace(/\b\d+\.\d+s\b/g, "1.0s")
    .replace(/\d+ seconds? ago|just now/g, "just now")
    .replace(/\nended with 0/, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

async function say(terminal: TestTerminal, text: string): Promise<void> {
  await terminal.until("Describe a task");
  await terminal.type(text);
  await terminal.keys("Enter");
}

/** Waits for a text and the empty composer. */
async function idle(terminal: TestTerminal, text: RegExp): Promise<string> {
  return terminal.until(
    (screen) => text.test(screen) && /› Describe a task/.test(screen) && !/esc to/.test(screen),
  );
}

async function commit(cwd: string): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd });
  await git("init", "-q", "-b", "trunk");
  await git("config", "user.name", "A");
  await git("config", "user.email", "a@b");
  await git("add", ".");
  await git("commit", "-qm", "Say hello");
}
