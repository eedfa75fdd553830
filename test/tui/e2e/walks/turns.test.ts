import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spawn, wait } from "../../../support/agents.js";
import { calls, says } from "../../../support/model.js";
import { hasTmux, startTerminal } from "../../../support/terminal.js";
import {
  expectTidy,
  makeRepository,
  quit,
  run,
  send,
  sizes,
  untilGone,
  untilIdle,
} from "./walking.js";

const patch = (from: string, to: string) =>
  calls("shell", {
    command: [
      "apply_patch",
      `*** Begin Patch\n*** Update File: door.txt\n@@\n-${from}\n+${to}\n*** End Patch`,
    ],
  });
const free = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';

describe.skipIf(!(await hasTmux())).each(sizes)("turns at %i x %i", (columns, rows) => {
  test("Esc Esc, /rewind, its undo and /tree", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      config: free,
      model: [
        patch("red", "blue"),
        says("It is blue."),
        patch("blue", "green"),
        says("It is green."),
        says("It is quiet."),
      ],
    });
    const door = () => readFile(join(terminal.workspace, "door.txt"), "utf8");
    await untilIdle(terminal);
    await makeRepository(terminal);
    await send(terminal, "paint it blue");
    await terminal.until(/It is blue\.[\s\S]*tokens/);
    await untilIdle(terminal);
    await send(terminal, "paint it green");
    await terminal.until(/It is green\.[\s\S]*tokens/);
    await untilIdle(terminal);

    await terminal.keys("Escape");
    await terminal.until("press esc again");
    await terminal.keys("Escape");
    await terminal.until(/Return to before which message\?[\s\S]*› 2\. paint it green/);
    await terminal.keys("Enter");
    await terminal.until(/What should be rewound\?[\s\S]*M door\.txt \+1 -1/);
    await terminal.keys("2");
    await terminal.until(/rewound, 1 file restored/);
    expect(await door()).toBe("blue\n");
    await terminal.until("› paint it green");
    await terminal.keys("C-c");

    await send(terminal, "/rewind undo");
    await terminal.until("The rewind was taken back");
    expect(await door()).toBe("green\n");
    await untilIdle(terminal);

    // The user's own change stays.
    await writeFile(join(terminal.workspace, "door.txt"), "mine\n");
    await send(terminal, "/rewind");
    await terminal.until("Return to before which message?");
    await terminal.keys("Enter");
    await terminal.until(/What should be rewound\?[\s\S]*! door\.txt stays/);
    await terminal.keys("Escape");
    await untilGone(terminal, "What should be rewound?");
    expect(await door()).toBe("mine\n");

    await send(terminal, "/rewind");
    await terminal.until("Return to before which message?");
    await terminal.keys("Enter");
    await terminal.until("What should be rewound?");
    await terminal.keys("1");
    await terminal.until("files stay as they are");
    await terminal.keys("C-c");
    await send(terminal, "leave it");
    await terminal.until(/It is quiet\.[\s\S]*tokens/);
    await untilIdle(terminal);
    await send(terminal, "/tree");
    await terminal.until(
      /Continue after which turn\?[\s\S]*• +paint it blue[\s\S]*paint it green[\s\S]*• +leave it/,
    );
    await terminal.type("green");
    await terminal.until((screen) => !/paint it blue/.test(screen.split("Continue")[1] ?? ""));
    await terminal.keys("Enter");
    await terminal.until(/It is green\.[\s\S]*Describe a task/);
    await untilIdle(terminal);
    await quit(terminal);
  });

  test("a helper agent asks for approval, and can be looked into", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      args: ["-m", "gpt-6-sol"],
      config: `approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"\nfeatures.code_mode = false`,
      model: {
        answers: [[spawn("writer")], wait, says("All done.")],
        agents: {
          "/root/writer": [
            calls("exec_command", { cmd: "touch made", login: false }),
            says("It is written."),
          ],
        },
      },
    });
    await untilIdle(terminal);
    await send(terminal, "use helpers");
    const asked = await terminal.until("/root/writer: ");
    expect(asked.split("$ touch made")).toHaveLength(2);
    for (const key of ["(y)", "(n)", "(d)", "(esc)"]) expect(asked).toContain(key);
    await terminal.keys("v");
    await terminal.until(/touch made[\s\S]*q to close/);
    await terminal.keys("q");
    await terminal.until("/root/writer: ");
    await terminal.keys("y");
    await terminal.until("All done.");
    await untilIdle(terminal);
    expect(existsSync(join(terminal.workspace, "made"))).toBe(true);

    await send(terminal, "/agents");
    await terminal.until(/1\. \/root\/writer +completed/);
    await terminal.keys("Enter");
    await terminal.until(/touch made[\s\S]*It is written\.[\s\S]*q to close/);
    await terminal.keys("q");
    await expectTidy(terminal, ["› use helpers", "• All done."]);
    await quit(terminal);
  });

  test("/ps lists a command that runs on, and /stop ends it", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      args: ["-m", "gpt-6-sol"],
      config: `${free}\nfeatures.code_mode = false`,
      model: [
        calls("exec_command", { cmd: "echo up; sleep 600", login: false, yield_time_ms: 300 }),
        says("It runs on."),
      ],
    });
    await untilIdle(terminal);
    await send(terminal, "serve");
    await terminal.until(/It runs on\.[\s\S]*tokens/);
    await run(terminal, "/ps", /Running commands[\s\S]*sleep 600/);
    await run(terminal, "/stop", "Ended the running command");
    await run(terminal, "/ps", "No commands are running");
    await expectTidy(terminal, ["• It runs on.", "Ended the running command"]);
    await quit(terminal);
  });

  test("a failed patch and a failed command are visible", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      config: free,
      model: [
        patch("no such line", "x"),
        calls("shell", { command: ["node", "missing.js"] }),
        says("Neither worked."),
      ],
      files: { "door.txt": "red\n" },
    });
    await untilIdle(terminal);
    await send(terminal, "break");
    await terminal.until(/Neither worked\.[\s\S]*tokens/);
    const history = await terminal.history();
    expect(history).toMatch(/✗ A patch did not apply:[\s\S]*?\bdoor\.txt/);
    expect(history).toMatch(/✗ Ran node missing\.js/);
    await expectTidy(terminal, ["• Neither worked."]);
  });

  test("resizes in the middle of a stream leave no ghosts", async () => {
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(" ");
    await using terminal = await startTerminal({
      columns,
      rows,
      config: free,
      model: [
        [{ call: "shell", args: { command: ["echo", "listed"] }, call_id: "a" }],
        [{ message: `Begin.\n\n${words}\n\n- one\n- two\n\nEnd.`, deltas: 6, pause_ms: 80 }],
      ],
    });
    await untilIdle(terminal);
    await send(terminal, "speak");
    await terminal.until("word5 ");
    await terminal.type("a draft that stays");
    for (const [width, height] of [
      [columns + 13, rows],
      [columns, rows + 5],
      [columns + 16, rows + 4],
      [columns + 20, rows + 5],
      [columns, rows],
    ] as const) {
      await terminal.resize(width, height);
      await terminal.until("a draft that stays");
    }
    await terminal.until(/End\.[\s\S]*tokens/);
    await terminal.keys("C-c");
    await untilIdle(terminal);

    // The terminal wraps what was printed while it was wider.
    const history = await terminal.tmux("capture-pane", "-p", "-J", "-S", "-");
    for (const word of words.split(" ")) {
      expect(history.match(new RegExp(`\\b${word}\\b`, "g")), `${word}\n${history}`).toHaveLength(
        1,
      );
    }
    await expectTidy(terminal, ["› speak", "• Begin.", "Ran echo listed", "End."]);
    expect(history).not.toContain("a draft that stays");
  });

  test("a long paragraph, a table and code are each there once after large resizes", async () => {
    const words = Array.from({ length: 160 }, (_, index) => `word${index}`);
    const code = Array.from({ length: 30 }, (_, index) => `const line${index} = ${index};`);
    const table = Array.from({ length: 10 }, (_, index) => `| row${index} | some text |`);
    const parts = [
      `Begin.\n\n${words.join(" ")}`,
      `| name | text |\n|---|---|\n${table.join("\n")}`,
      `\`\`\`js\n${code.join("\n")}\n\`\`\``,
      "End.",
    ];
    await using terminal = await startTerminal({
      columns,
      rows,
      model: [[{ message: parts.join("\n\n"), deltas: 80, pause_ms: 70 }]],
    });
    await untilIdle(terminal);
    await send(terminal, "speak at length");
    for (const [text, width, height] of [
      ["word100 ", 60, 20],
      ["row2 ", columns, rows],
      ["line2 ", 60, 20],
      ["line20 ", columns, rows],
    ] as const) {
      // On a slow machine it may have left the screen before it is looked at.
      await terminal.until(async () => (await terminal.history()).includes(text));
      await terminal.resize(width, height);
    }
    await terminal.until(/End\.[\s\S]*tokens/);
    await untilIdle(terminal);

    const history = await terminal.history();
    const all = [...words, ...code.map((_, index) => `line${index}`)];
    for (const word of all) {
      expect(history.match(new RegExp(`\\b${word}\\b`, "g")), `${word}\n${history}`).toHaveLength(
        1,
      );
    }
    await expectTidy(terminal, ["› speak at length", "• Begin.", "End."]);
  });

  test("Ctrl+C, Ctrl+Z and a lost terminal in a dialog", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      isInShell: true,
      config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
      model: [calls("shell", { command: ["touch", "made"] }), says("Not made.")],
    });
    await untilIdle(terminal);
    await send(terminal, "make it");
    await terminal.until("Allow this command to run?");
    await terminal.keys("C-z");
    await terminal.until(/Stopped[\s\S]*shell\$$/);
    await terminal.type("fg");
    await terminal.keys("Enter");
    const again = await terminal.until(/Allow this command to run\?[\s\S]*\(esc\)/);
    expect(again.split("(y)")).toHaveLength(2);
    await terminal.keys("C-c");
    await terminal.until("Interrupted");
    await terminal.until("Describe a task");
    expect(existsSync(join(terminal.workspace, "made"))).toBe(false);

    await send(terminal, "/model");
    await terminal.until("Select a model");
    const pid = (await terminal.tmux("display-message", "-p", "#{pane_pid}")).trim();
    await terminal.tmux("run-shell", `pkill -HUP -P ${pid} || true`);
    const ended = await terminal.until(/resume [\s\S]*shell\$$/);
    expect(ended).not.toContain("Select a model");
  });
});
