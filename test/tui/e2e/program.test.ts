import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, hangs, says } from "../../support/model.js";
import { startProgram } from "../../support/program.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the program", () => {
  test("a config that cannot be read ends the program with its error, and no thread is started", async () => {
    await using terminal = await startTerminal({ wholeConfig: 'model = "gpt-5.5"\nbroken [\n' });

    const screen = await terminal.until(/ended with [1-9]/);

    expect(await readFile(join(terminal.home, "..", "stderr"), "utf8")).toMatch(
      /config\.toml:2:\d+/,
    );
    expect(screen).not.toMatch(/Starting|Describe a task/);
    expect(existsSync(join(terminal.home, "sessions"))).toBe(false);
  });

  test("works the same with a remote server", async () => {
    await using server = await startProgram({
      args: ["app-server", "--listen", "ws://127.0.0.1:0"],
      model: [calls("shell", { command: ["echo", "over there"] }), says("From afar.")],
      config: "",
    });
    const url = await listeningAt(server.stderr);
    await using terminal = await startTerminal({ args: ["--remote", url] });
    await terminal.until("Describe a task");
    await terminal.type("hello over there");
    await terminal.keys("Enter");

    const screen = await terminal.until("From afar.");
    expect(screen).toContain("└ over there");
    expect(server.model.requests).toHaveLength(2);
  });

  test("reports an address without a server", async () => {
    await using terminal = await startTerminal({ args: ["--remote", "ws://127.0.0.1:1"] });

    await terminal.until("ended with 1");

    const errors = await readFile(join(terminal.home, "..", "stderr"), "utf8");
    expect(errors).toBe("quire: Cannot connect to ws://127.0.0.1:1: nothing listens there\n");
  });

  test("notifies when an approval is pending and the terminal is not focused", async () => {
    await using terminal = await startTerminal({
      config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
      model: [calls("shell", { command: ["touch", "x"] })],
    });
    await terminal.until("Describe a task");
    await terminal.tmux("new-window", "sleep 1000"); // tmux does not record the bell of the active window
    const pane = ["-t", ":0"];
    await terminal.tmux("send-keys", ...pane, "-H", "1b", "5b", "4f"); // report that the terminal lost the focus
    await terminal.tmux("send-keys", ...pane, "-l", "do it");
    await terminal.tmux("send-keys", ...pane, "Enter");

    await expect
      .poll(() => terminal.tmux("display-message", "-p", ...pane, "#{window_bell_flag}"), {
        timeout: 20_000,
      })
      .toBe("1\n");
  });

  test("a saved prompt is filled in and sent", async () => {
    await using terminal = await startTerminal({ model: [says("Greeted.")] });
    await terminal.until("Describe a task");
    await mkdir(join(terminal.home, "prompts"));
    await writeFile(
      join(terminal.home, "prompts", "greet.md"),
      "---\ndescription: says hello\n---\nGreet $WHO kindly.",
    );

    await terminal.type("/greet");
    await terminal.until("› /prompts:greet");
    await terminal.keys("Tab");
    await terminal.type("WHO=Ada");
    await terminal.keys("Enter");

    await terminal.until("Greeted.");
    expect(JSON.stringify(terminal.model.requests[0]?.body)).toContain("Greet Ada kindly.");
  });

  test("selecting a saved prompt without arguments sends it", async () => {
    await using terminal = await startTerminal({ model: [says("Tidied.")] });
    await terminal.until("Describe a task");
    await mkdir(join(terminal.home, "prompts"));
    await writeFile(join(terminal.home, "prompts", "tidy.md"), "Tidy up.");

    await terminal.type("/tidy");
    await terminal.until("› /prompts:tidy");
    await terminal.keys("Enter");

    await terminal.until("Tidied.");
    expect(JSON.stringify(terminal.model.requests[0]?.body)).toContain("Tidy up.");
  });

  test("/logout asks for a sign-in only if the provider requires one", async () => {
    await using terminal = await startTerminal({ model: [says("Still here.")] });
    await terminal.until("Describe a task");

    await terminal.type("/logout");
    await terminal.until("› /logout");
    await terminal.keys("Enter");
    await terminal.until("You were not signed in");
    await terminal.type("hello");
    await terminal.keys("Enter");

    await terminal.until("Still here.");
  });

  test("changed settings apply from the next turn on", async () => {
    await using terminal = await startTerminal({ model: [says("Ok.")] });
    await terminal.until("Describe a task");
    await terminal.type("/permissions");
    await terminal.keys("Enter");
    await terminal.until("What is allowed without approval?");
    await terminal.keys("Up", "Up");
    await terminal.keys("Enter");
    await terminal.until("Permissions from the next turn on: read-only");
    await terminal.type("/model other-model");
    await terminal.keys("Enter");
    await terminal.until("Model: other-model");
    await terminal.type("go");
    await terminal.keys("Enter");

    await terminal.until("• Ok.");
    expect(terminal.model.requests[0]?.body).toMatchObject({ model: "other-model" });
    expect(await readFile(join(terminal.home, "config.toml"), "utf8")).toContain(
      'model = "other-model"',
    );
  });

  test("a session can be renamed and exported", async () => {
    await using terminal = await startTerminal({ model: [says("Answer with `code`.")] });
    await terminal.until("Describe a task");
    await terminal.type("question");
    await terminal.keys("Enter");
    await terminal.until(/Answer with code[\s\S]*tokens/);
    await terminal.type("/rename My talk");
    await terminal.keys("Enter");
    await terminal.until("Renamed to My talk");
    await terminal.type("/export talk.md");
    await terminal.keys("Enter");
    await terminal.until("Exported to");

    expect(await readFile(join(terminal.workspace, "talk.md"), "utf8")).toBe(
      "## You\n\nquestion\n\n## Agent\n\nAnswer with `code`.\n",
    );
  });

  test("ctrl+c clears, interrupts and quits, in this order", async () => {
    await using terminal = await startTerminal({ model: [hangs(says("It begins"))] });
    await terminal.until("Describe a task");
    await terminal.type("work");
    await terminal.keys("Enter");
    await terminal.until("Working");
    await terminal.type("unsent");
    await terminal.keys("C-c");
    await terminal.until((screen) => !screen.includes("unsent"));
    await terminal.keys("C-c");
    await terminal.until("⚠ Interrupted");
    await terminal.keys("C-c");
    await terminal.until("press ctrl+c again to quit");
    await terminal.keys("C-c");
    await terminal.until("ended with 0");
  });

  test("without a terminal it names the alternative", async () => {
    await using program = await startProgram({ args: [] });
    expect((await program.exit).code).toBe(2);
    expect(program.stderr()).toContain("`quire exec`");
  });
});

/** Resolves with the address that a server prints. */
async function listeningAt(text: () => string): Promise<string> {
  for (let tries = 0; tries < 400; tries += 1) {
    const url = /ws:\/\/[\d.]+:\d+/.exec(text())?.[0];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`No address: ${text()}`);
}
