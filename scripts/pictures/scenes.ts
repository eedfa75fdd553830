import type { TerminalOptions, TestTerminal } from "../../test/support/terminal.js";

/** One screenshot: the command line, and the steps before it is taken. */
export interface Scene {
  name: string;
  /** Alternative text. */
  alt: string;
  options: TerminalOptions;
  /** Draw the screen on a light background. */
  isLight?: boolean;
  play(terminal: TestTerminal): Promise<void>;
}

const asks = 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"';
const files = { "greet.js": 'exports.greet = (name) => "Hello, " + name + "?";\n', "test.js": "" };
const patch = [
  "*** Begin Patch",
  "*** Update File: greet.js",
  "@@",
  '-exports.greet = (name) => "Hello, " + name + "?";',
  '+exports.greet = (name) => "Hello, " + name + "!";',
  "*** End Patch",
].join("\n");
const plan = [
  { step: "Look at the project", status: "completed" },
  { step: "Mend the greeting", status: "in_progress" },
  { step: "Run the test", status: "pending" },
];
const answer = [
  "The greeting ended with a question mark; the test wants an exclamation mark:",
  "",
  "```js",
  'exports.greet = (name) => "Hello, " + name + "!";',
  "```",
  "",
  "- `greet.js` is changed",
  "- the test **passes**",
].join("\n");

const lookModel = [
  [
    { call: "shell", args: { command: ["cat", "greet.js"] }, call_id: "a" },
    { call: "shell", args: { command: ["grep", "-rn", "greet", "."] }, call_id: "b" },
  ],
  [{ call: "shell", args: { command: ["apply_patch", patch] }, call_id: "c" }],
  [{ call: "shell", args: { command: ["node", "missing.js"] }, call_id: "d" }],
  [{ message: answer }],
];

/** The same turn in each theme. */
const looks: readonly Scene[] = (["dark", "light", "ansi", "mono"] as const).map((theme) => ({
  name: `look-${theme}`,
  alt: `A turn in the theme ${theme}: reads, a diff, a failed command and the answer`,
  isLight: theme === "light",
  options: {
    rows: 36,
    files,
    ...(theme === "dark" || theme === "light" ? { env: { COLORTERM: "truecolor" } } : {}),
    config: `approval_policy = "never"\nsandbox_mode = "danger-full-access"\n[tui]\ntheme = "${theme}"`,
    model: lookModel,
  },
  async play(terminal) {
    await send(terminal, "the test fails, mend it");
    await terminal.until(/file changed/);
  },
}));

/** Screenshots of the docs. */
export const scenes: readonly Scene[] = [
  ...looks,
  {
    name: "turn",
    alt: "A turn: a plan, a command, a change to a file and the answer, with the composer below",
    options: {
      rows: 34,
      files,
      model: [
        [
          { call: "update_plan", args: { plan }, call_id: "p" },
          { call: "shell", args: { command: ["cat", "greet.js"] }, call_id: "c" },
        ],
        [{ call: "shell", args: { command: ["apply_patch", patch] }, call_id: "d" }],
        [{ message: answer }],
      ],
    },
    async play(terminal) {
      await send(terminal, "the test fails, mend it");
      await terminal.until(/passes[\s\S]*tokens/);
    },
  },
  {
    name: "plan",
    alt: "A proposed plan, with the dialog that ends plan mode",
    options: {
      rows: 26,
      env: { COLORTERM: "truecolor" },
      model: [
        [
          {
            message:
              "I have looked at the project.\n<proposed_plan>\n# Mend the greeting\n\n1. Change `greet.js`\n2. Run the test\n</proposed_plan>\n",
          },
        ],
      ],
    },
    async play(terminal) {
      await terminal.until("Describe a task");
      await terminal.keys("BTab");
      await terminal.until("Plan mode is on");
      await send(terminal, "plan how to mend it");
      await terminal.until(/Implement this plan\?[\s\S]*esc cancel/);
    },
  },
  {
    name: "approval",
    alt: "An approval of a command, with the keys that answer it",
    options: {
      rows: 22,
      config: asks,
      model: [
        [
          { message: "I will remove what the build left." },
          {
            call: "shell",
            args: { command: ["bash", "-lc", "rm -rf build && npm run build"] },
            call_id: "c",
          },
        ],
      ],
    },
    async play(terminal) {
      await send(terminal, "build it anew");
      await terminal.until("Allow this command to run?");
    },
  },
  {
    name: "commands",
    alt: "The menu of commands below the composer",
    options: { rows: 18 },
    async play(terminal) {
      await terminal.until("Describe a task");
      await terminal.type("/");
      await terminal.until("/resume");
    },
  },
];

async function send(terminal: TestTerminal, text: string): Promise<void> {
  await terminal.until("Describe a task");
  await terminal.type(text);
  await terminal.keys("Enter");
}
