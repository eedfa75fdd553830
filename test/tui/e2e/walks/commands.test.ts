import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { says } from "../../../support/model.js";
import { hasTmux, startTerminal } from "../../../support/terminal.js";
import {
  expectTidy,
  makeRepository,
  page,
  peek,
  quit,
  run,
  send,
  sizes,
  untilGone,
  untilIdle,
} from "./walking.js";

const answer = "The first answer.\n\n```js\nconsole.log(1);\n```\n";

describe.skipIf(!(await hasTmux())).each(sizes)("commands at %i x %i", (columns, rows) => {
  test("every dialog opens once and whole, and leaves nothing behind", async () => {
    await using terminal = await startTerminal({ columns, rows, model: [says(answer)] });
    await untilIdle(terminal);
    await send(terminal, "hello you");
    await terminal.until(/console\.log[\s\S]*tokens/);

    await peek(terminal, "/model", "Select a model");
    await peek(terminal, "/permissions", "What is allowed without approval?", "C-c");
    await peek(terminal, "/review", "What do you want to review?");
    await peek(terminal, "/config", "Settings");
    await peek(terminal, "/experimental", "Features");
    await peek(terminal, "/statusline", "Items of the status line");
    await peek(terminal, "/title", "Items of the terminal title");
    await peek(terminal, "/theme", "Select a theme");
    await peek(terminal, "/memories", "What sessions remember");
    await peek(terminal, "/delete", "Delete this session permanently?");
    await peek(terminal, "/rewind", "Return to before which message?");
    await peek(terminal, "/tree", "Continue after which turn?");
    await peek(terminal, "/rename", "Session name");
    await peek(terminal, "/copy", "Copy what?");
    await page(terminal, "/help", "Keyboard shortcuts");
    await page(terminal, "/keymap", "Keys");

    await expectTidy(terminal, ["› hello you", "• The first answer.", "console.log(1);"]);
    await quit(terminal);
  });

  test("commands that print say what they did, also those that are not here", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      model: [says(answer), says("It is done.")],
      config: "features.goals = false",
    });
    await untilIdle(terminal);
    await run(terminal, "/cost", "No tokens used yet");
    await run(terminal, "/recap", "The session is empty");
    await send(terminal, "hello you");
    await terminal.until(/console\.log[\s\S]*tokens/);

    await run(terminal, "/cost", /tokens in/);
    await run(terminal, "/recap", /Recap\n +It is done\./);
    await run(terminal, "/pwd", "workspace");
    await run(terminal, "/ps", "No commands are running");
    await run(terminal, "/stop 12", "No running command has the id 12");
    await run(terminal, "/agents", "This session has no helper agents");
    await run(terminal, "/hooks", "There are no hooks");
    await run(terminal, "/skills", "No skills found");
    await run(terminal, "/mcp", "No MCP servers are configured");
    await run(terminal, "/approve", "has denied nothing");
    await run(terminal, "/prompts save greet", "Saved as /prompts:greet");
    await run(terminal, "/implement", "There is no proposed plan");
    await run(terminal, "/worktree", /A worktree needs\s+a git repository/);
    await run(terminal, "/import", "There is nothing to import");
    await run(terminal, "/statusline modle", "Did you mean");
    await run(terminal, "/theme nonsense", /nonsense/);
    await run(terminal, "/vim maybe", "Expected on or off");
    for (const name of [
      "voice",
      "feedback",
      "plugins",
      "apps",
      "pets",
      "ide",
      "daemon",
      "tui",
      "fast",
      "usage",
    ]) {
      await run(terminal, `/${name}`, `• /${name} `);
    }
    await send(terminal, "/nonsense");
    await terminal.until("Unknown command /nonsense");
    await terminal.keys("C-c");

    await expectTidy(terminal, ["› hello you", "• The first answer.", "Unknown command /nonsense"]);
    await quit(terminal);
  });

  test("/import shows what it would write, and writes nothing without yes", async () => {
    await using terminal = await startTerminal({ columns, rows });
    await untilIdle(terminal);
    const user = join(terminal.home, "..");
    await mkdir(join(user, ".claude", "commands"), { recursive: true });
    await writeFile(join(user, ".claude", "CLAUDE.md"), "Be brief.\n");
    await writeFile(join(user, ".claude", "commands", "tidy.md"), "Tidy up.\n");
    await writeFile(join(user, ".claude.json"), '{"mcpServers":{"files":{"command":"true"}}}');
    await writeFile(join(terminal.workspace, "CLAUDE.md"), "Use tabs.\n");

    await send(terminal, "/import");
    await terminal.until(/Import from Claude Code\?[\s\S]*☑ Instructions/);
    await terminal.keys("Enter");
    await terminal.until(/What an import would write[\s\S]*Be brief\./);
    await terminal.keys("q");
    await terminal.until("☑ Instructions");
    await terminal.keys("Escape");
    await untilGone(terminal, "Import from Claude Code?");
    expect(existsSync(join(terminal.home, "AGENTS.md"))).toBe(false);
    expect(existsSync(join(terminal.workspace, "AGENTS.md"))).toBe(false);

    await send(terminal, "/import");
    await terminal.until("☑ Commands");
    await terminal.keys("3");
    await terminal.until("☐ Commands");
    await terminal.until("6. Yes, write 3 files");
    await terminal.type("6");
    await terminal.until(/Imported:[\s\S]*config\.toml/);
    expect(await readFile(join(terminal.home, "AGENTS.md"), "utf8")).toBe("Be brief.\n");
    expect(await readFile(join(terminal.home, "config.toml"), "utf8")).toContain(
      "[mcp_servers.files]",
    );
    expect(existsSync(join(terminal.home, "prompts", "tidy.md"))).toBe(false);
    await expectTidy(terminal, ["• Imported:"]);
    await quit(terminal);
  });

  test("/worktree continues in a worktree, which goes when it is clean", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      model: [says("Seen."), says("Still seen.")],
    });
    await untilIdle(terminal);
    await makeRepository(terminal);
    await send(terminal, "look at the door");
    await terminal.until(/Seen\.[\s\S]*tokens/);

    await send(terminal, "/worktree paint");
    await terminal.until("What should work in the new worktree?");
    await terminal.keys("Enter");
    await terminal.until(/on\s+branch\s+quire\/paint/);
    await untilIdle(terminal);
    await send(terminal, "and now?");
    await terminal.until("Still seen.");
    await untilIdle(terminal);

    expect(JSON.stringify(terminal.model.requests[1]?.body)).toContain("look at the door");
    expect(JSON.stringify(terminal.model.requests[1]?.body)).toContain("worktrees");
    await quit(terminal);
    const folders = await readdir(join(terminal.home, "worktrees"), { recursive: true });
    expect(folders.filter((name) => name.endsWith("paint"))).toEqual([]);
  });

  test("/memories opens the instructions in the editor", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      env: { EDITOR: "sh -c 'echo remember the milk >> \"$1\"' sh" },
    });
    await untilIdle(terminal);
    await send(terminal, "/memories");
    await terminal.until(/1\. .*AGENTS\.md/);
    await terminal.keys("Enter");
    await terminal.until("Saved");

    expect(await readFile(join(terminal.home, "AGENTS.md"), "utf8")).toContain("remember the milk");
    await expectTidy(terminal, ["• Saved"]);
  });
});
