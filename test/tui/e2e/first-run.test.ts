import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the first run", () => {
  test("asks where the model comes from, and shows the demonstration", async () => {
    await using terminal = await startTerminal({ wholeConfig: "", env: { OPENAI_API_KEY: "" } });
    const screen = await terminal.until("Which model do you want to use?");
    expect(screen).toContain("Sign in with ChatGPT");
    expect(screen).toContain("Use an API key");
    expect(screen).toContain("Use a local model");

    await terminal.type("5");
    await terminal.until(/model +scripted-model/);
    await terminal.type("mend it");
    await terminal.keys("Enter");

    await terminal.until(/look at the project|Ran ls|Listed/);
  });

  test("an API key is taken without being shown, and kept", async () => {
    await using terminal = await startTerminal({ wholeConfig: "", env: { OPENAI_API_KEY: "" } });
    await terminal.until("Which model do you want to use?");
    await terminal.type("3");
    await terminal.until("API key");
    await terminal.type("sk-not-a-real-one");
    expect(await terminal.until("•••••")).not.toContain("sk-not");
    await terminal.keys("Enter");

    await terminal.until("Do you trust");
    const saved = JSON.parse(await readFile(join(terminal.home, "auth.json"), "utf8"));
    expect(saved).toMatchObject({ OPENAI_API_KEY: "sk-not-a-real-one" });
  });

  test("a new folder is asked about once, and an answer is remembered", async () => {
    await using terminal = await startTerminal({ isNewFolder: true, config: "" });
    await terminal.until("Do you trust what is in");
    await terminal.keys("Enter");
    await terminal.until("workspace-write, on-request");
    await terminal.keys("C-d");
    await terminal.until("ended with 0");

    await terminal.restart();
    await terminal.until("Describe a task");
    expect(await readFile(join(terminal.home, "config.toml"), "utf8")).toContain(
      'trust_level = "trusted"',
    );
  });
});
