import { describe, expect, test } from "vitest";
import { calls, hangs, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

const asks = 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"';
const sizes = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
];
const script = `cat > report.txt <<"EOF"\n${Array.from({ length: 60 }, (_, index) => `row ${index}`).join("\n")}\nEOF`;
const finding = JSON.stringify({
  findings: [],
  overall_correctness: "patch is correct",
  overall_explanation: "Nothing is wrong with it.",
  overall_confidence_score: 0.9,
});
const choices = ["(y)", "(a)", "(n)", "(d)", "(esc)"];

describe.skipIf(!(await hasTmux()))("the first hour", () => {
  test.each(sizes)(
    "[terminal B2 B4 B5 M1 R3] at $columns columns: approval, interrupt, review, quit",
    async (size) => {
      await using terminal = await startTerminal({
        ...size,
        config: asks,
        model: [
          calls("exec_command", { cmd: script }),
          says("The report is written."),
          calls("exec_command", { cmd: "echo started; sleep 600", yield_time_ms: 30_000 }),
          says(finding),
        ],
      });
      await terminal.until("Describe a task");

      await terminal.type("report");
      await terminal.keys("Enter");
      const asked = await terminal.until("Allow this command to run?");
      for (const choice of choices) expect(asked).toContain(choice);
      expect(asked).not.toContain("(p)");
      expect(asked).toContain("more lines (v to view all)");
      expect(asked.match(/\$ cat > report\.txt/g)).toHaveLength(1);
      expect(asked).toContain("Waiting for approval");
      expect(asked).not.toMatch(/Running|Working/);
      await terminal.type("y");
      await terminal.until("The report is written.");

      await terminal.type("sleep");
      await terminal.keys("Enter");
      await terminal.until("$ echo started; sleep 600");
      await terminal.type("y");
      await terminal.until(/Running echo started[\s\S]*└ started/);
      await terminal.keys("Escape");
      await terminal.until("⚠ Interrupted");

      await terminal.type("/review the report");
      await terminal.keys("Enter");
      await terminal.until(/Nothing is wrong with it\.[\s\S]*Describe a task/);
      await terminal.keys("C-d");

      const screen = await terminal.until("ended with 0");
      expect(screen).toMatch(
        /Token usage: [\d,]+ total.*\nTo continue this session, run quire resume [\w-]+(?:\n?[\w-]+)*\nended with 0$/,
      );
      const history = await terminal.history();
      expect(history.match(/Ran cat > report\.txt/g)).toHaveLength(1);
      expect(history.match(/Ran echo started; sleep 600/g)).toHaveLength(1);
      expect(history.match(/^ +interrupted$/gm)).toHaveLength(1);
      expect(history.match(/Nothing is wrong with it\./g)).toHaveLength(1);
      expect(history).not.toMatch(/Describe a task|Working|Running|Waiting|Starting/);
    },
  );

  test("[terminal B2] the label of a lasting rule states that it is a prefix", async () => {
    await using terminal = await startTerminal({
      config: asks,
      model: [calls("exec_command", { cmd: "npm install left-pad" })],
    });
    await terminal.until("Describe a task");
    await terminal.type("install");
    await terminal.keys("Enter");
    await terminal.until(/commands that start with\s+`npm install left-pad`\s+\(p\)/);
  });

  test("[terminal M1] quitting during a turn leaves nothing on screen that appears to run", async () => {
    await using terminal = await startTerminal({ model: [hangs(says("It begins"))] });
    await terminal.until("Describe a task");
    await terminal.type("go");
    await terminal.keys("Enter");
    await terminal.until(/It begins[\s\S]*Working/);
    await terminal.type("/quit");
    await terminal.keys("Enter");

    const screen = await terminal.until("ended with 0");
    expect(screen).toContain("• It begins");
    expect(screen).toMatch(/⚠ Interrupted\n\nTo continue this session, run quire resume /);
    expect(await terminal.history()).not.toMatch(/Describe a task|Working|add to this turn/);
  });

  test("[terminal R1] quitting the first dialog leaves nothing behind", async () => {
    await using terminal = await startTerminal({ wholeConfig: "", env: { OPENAI_API_KEY: "" } });
    await terminal.until("Which model do you want to use?");
    await terminal.keys("Escape");
    await terminal.until("ended with 0");
    expect((await terminal.history()).trim()).toBe("ended with 0");
  });

  test("[terminal M4] ctrl+z suspends to the shell, and fg redraws the screen", async () => {
    await using terminal = await startTerminal({ isInShell: true, model: [says("Hello.")] });
    await terminal.until("Describe a task");
    await terminal.type("say hello");
    await terminal.keys("Enter");
    await terminal.until(/Hello\.[\s\S]*Describe a task/);
    await terminal.type("half a message");
    const before = await terminal.until("› half a message");

    await terminal.keys("C-z");
    const stopped = await terminal.until(/Stopped[\s\S]*shell\$$/);
    expect(stopped).not.toContain("half a message");
    await terminal.type("echo it echoes");
    await terminal.keys("Enter");
    await terminal.until(/^it echoes/m);
    await terminal.type("fg");
    await terminal.keys("Enter");

    const after = await terminal.until("› half a message");
    const lastLines = (text: string) => text.split("\n").slice(-2);
    expect(lastLines(after)).toEqual(lastLines(before));
    expect((await terminal.history()).match(/• Hello\./g)).toHaveLength(1);
    await terminal.type(" more");
    await terminal.until("› half a message more");
  });

  test("[terminal B8] up skips a message of several lines with one key", async () => {
    await using terminal = await startTerminal({ model: [says("One."), says("Two.")] });
    await terminal.until("Describe a task");
    await terminal.type("the first");
    await terminal.keys("Enter");
    await terminal.until(/One\.[\s\S]*Describe a task/);
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
    await terminal.tmux("set-buffer", `${lines}\n`);
    await terminal.tmux("paste-buffer", "-p");
    await terminal.until("[paste #1 +40 lines]");
    await terminal.keys("Enter");
    await terminal.until(/Two\.[\s\S]*Describe a task/);

    await terminal.keys("Up");
    await terminal.until(/ {2}line 39\n/);
    await terminal.keys("Up");
    await terminal.until(/› the first\n +full access/);
    await terminal.keys("Down", "Down");
    await terminal.until("Describe a task");
  });

  test.each(sizes)(
    "[terminal M6 R16] at $columns columns full access is confirmed, and stays visible",
    async (size) => {
      await using terminal = await startTerminal({
        ...size,
        config: 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"',
      });
      await terminal.until("Describe a task");
      const choose = async () => {
        await terminal.type("/permissions");
        await terminal.keys("Enter");
        await terminal.until("What is allowed without approval?");
        await terminal.type("3");
        const warning = await terminal.until("Enable full access?");
        expect(warning).toContain("without a sandbox");
        expect(warning).toContain("› 1. No");
      };
      await choose();
      await terminal.keys("Escape");
      await terminal.until(/Describe a task[\s\S]*workspace-write/);
      await choose();
      await terminal.type("2");

      await terminal.until("Permissions from the next turn on: full access");
      const lines = (await terminal.tmux("capture-pane", "-p", "-e")).trimEnd().split("\n");
      expect(lines.at(-1)).toMatch(/\x1b\[(?:\d+;)*(?:31|38;5;210)m(?:\x1b\[49m)?full access/);
    },
  );

  test.each(sizes)(
    "[terminal M5] at $columns columns the sign-in URL is one hyperlink that only the terminal wraps",
    async (size) => {
      await using terminal = await startTerminal({
        ...size,
        wholeConfig: "",
        env: { OPENAI_API_KEY: "" },
      });
      await terminal.until("Which model do you want to use?");
      await terminal.type("1");
      await terminal.until("Waiting for you to sign in");

      const joined = await terminal.tmux("capture-pane", "-p", "-J", "-S", "-");
      const url = /^https:\/\/\S+$/m.exec(joined)?.[0] ?? "";
      expect(url).toMatch(/authorize\?.*state=.*originator=/);
      expect(await terminal.bytes()).toContain(`;${url}\x1b\\`);
      await terminal.keys("Escape");
      await terminal.until("Which model do you want to use?");
      await terminal.keys("Escape");
      await terminal.until("ended with 0");
    },
  );

  test("[terminal M5] links in an answer are hyperlinks", async () => {
    const long = `https://example.com/${"a-long-path/".repeat(12)}end`;
    await using terminal = await startTerminal({
      model: [says(`See [the docs](https://example.com/docs) and ${long} for more.`)],
    });
    await terminal.until("Describe a task");
    await terminal.type("links");
    await terminal.keys("Enter");
    await terminal.until(/for more\.[\s\S]*Describe a task/);

    const joined = await terminal.tmux("capture-pane", "-p", "-J");
    expect(joined.split("\n").map((line) => line.trimEnd())).toContain(long);
    const bytes = await terminal.bytes();
    expect(bytes).toContain("\x1b]8;;https://example.com/docs\x1b\\");
    expect(bytes).toContain(`;${long}\x1b\\`);
  });

  test("[terminal R2] an empty or unusual API key is rejected in its dialog", async () => {
    await using terminal = await startTerminal({ wholeConfig: "", env: { OPENAI_API_KEY: "" } });
    await terminal.until("Which model do you want to use?");
    await terminal.type("3");
    await terminal.until("Paste your API key");
    await terminal.keys("Enter");
    await terminal.until("The key is empty");
    await terminal.type("not-a-key");
    await terminal.keys("Enter");
    await terminal.until(/does not look like an OpenAI API key/);
    await terminal.keys("Enter");
    await terminal.until("Do you trust");
  });
});
