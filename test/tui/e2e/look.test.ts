import { describe, expect, test } from "vitest";
import { says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

const patch = [
  "*** Begin Patch",
  "*** Update File: a.js",
  "@@",
  '-say("Hello, you?");',
  '+say("Hello, world!");',
  "*** End Patch",
].join("\n");
const shell = (id: string, ...command: string[]) => ({
  call: "shell",
  args: { command },
  call_id: id,
});
const turn = [
  [shell("a", "cat", "a.js"), shell("b", "cat", "b.js")],
  [shell("c", "grep", "-rn", "Hello", ".")],
  [shell("d", "apply_patch", patch)],
  says("The greeting is changed."),
];
const files = { "a.js": 'say("Hello, you?");\n', "b.js": "b\n" };

describe.skipIf(!(await hasTmux()))("the look", () => {
  test.each([
    [120, 40],
    [80, 24],
    [60, 20],
  ])(
    "at %i by %i a turn has one block of reads, a diff, a footer, a title",
    async (columns, rows) => {
      const model = turn as never;
      await using terminal = await startTerminal({ model, files, columns, rows });
      await terminal.until("Describe a task");
      await terminal.type("greet the world");
      await terminal.keys("Enter");

      await terminal.until(/1 file changed/);

      const history = await terminal.history();
      expect(history.match(/✓ Explored 2 files, 1 pattern/g)).toHaveLength(1);
      // Both run at once.
      expect(history).toMatch(/└ Read (?:a\.js, b\.js|b\.js, a\.js)\n {4}Searched Hello/);
      expect(history).toMatch(
        /✓ Edited a\.js \(\+1 -1\)\n {4}1 -say\("Hello, you\?"\);\s*\n {4}1 \+say/,
      );
      expect(history).toMatch(/✓ [\d.]+s · [\d.]+K? tokens · 1 file changed \+1 -1/);
      expect(history).toMatch(/full access · mock-model/);
      const styled = await terminal.tmux("capture-pane", "-p", "-e", "-S", "-");
      expect(styled).toMatch(/\x1b\[48;5;28mworld!/);
      expect(styled).toMatch(/48;5;236m.*› /);
      const title = await terminal.tmux("display-message", "-p", "#{pane_title}");
      expect(title.trim()).toBe("✓ workspace · done");
    },
  );

  test("a resize in the middle of a shaded message leaves no ghosts", async () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
    await using terminal = await startTerminal({
      model: [[{ message: `Begin.\n\n${words}\n\nEnd.`, deltas: 12, pause_ms: 25 }]],
      columns: 80,
    });
    await terminal.until("Describe a task");
    await terminal.type("speak");
    await terminal.keys("Enter");
    await terminal.until("word5 ");
    await terminal.type("a draft that stays");
    for (const [columns, rows] of [
      [50, 20],
      [70, 22],
      [44, 18],
      [100, 30],
    ] as const) {
      await terminal.resize(columns, rows);
      await terminal.until("a draft that stays");
    }

    await terminal.until(/End\.[\s\S]*tokens/);

    const history = await terminal.history();
    for (const once of [/› speak/g, /• Begin\./g, /a draft that stays/g, /Quire, compatible/g]) {
      expect(history.match(once), String(once)).toHaveLength(1);
    }
    for (const word of words.split(" ")) {
      expect(history.match(new RegExp(`\\b${word}\\b`, "g")), word).toHaveLength(1);
    }
  });

  test("/statusline and /vim change the status line at once and are saved", async () => {
    await using terminal = await startTerminal({
      config: '[tui]\nstatus_line = ["modle"]\n[tui.keymap.global]\nopen_transcrip = "f2"\n',
    });
    await terminal.until('Item "modle" of `tui.status_line` is not known');
    await terminal.until("Did you mean open_transcript?");
    await terminal.type("/statusline permissions project-name");
    await terminal.keys("Enter");
    await terminal.until(/ {2}workspace-write, on-request · workspace$/m);
    await terminal.type("/vim on");
    await terminal.keys("Enter");
    await terminal.until(/ {2}INSERT · workspace-write, on-request · workspace$/m);

    await terminal.type("one two");
    await terminal.keys("Escape");
    await terminal.until(/ {2}NORMAL · /);
    await terminal.type("0dwA!");

    await terminal.until(/› two!/);
    await terminal.until(/ {2}INSERT · /);
  });

  test("an earlier message is suggested, and Right takes it", async () => {
    await using terminal = await startTerminal({ model: [says("One."), says("Two.")] });
    await terminal.until("Describe a task");
    await terminal.type("explain the parser");
    await terminal.keys("Enter");
    await terminal.until(/One\.[\s\S]*tokens/);
    await terminal.type("expl");
    await terminal.until(/› explain the parser\n +full/);
    await terminal.keys("Right", "Enter");

    await terminal.until(/Two\.[\s\S]*tokens/);

    expect((await terminal.history()).match(/› explain the parser/g)).toHaveLength(2);
  });
});
