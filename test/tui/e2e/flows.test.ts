import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { says } from "../../support/model.js";
import { hasTmux, startTerminal, type TestTerminal } from "../../support/terminal.js";

const sizes = [
  [120, 40],
  [80, 24],
  [60, 20],
] as const;

async function send(terminal: TestTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.keys("Enter");
}

async function makeRepository({ workspace }: TestTerminal): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], {
      cwd: workspace,
    });
  await git("init", "-q", "-b", "trunk");
  await writeFile(join(workspace, "door.txt"), "red\n");
  await git("add", ".");
  await git("commit", "-qm", "Add the door");
  await git("switch", "-qc", "paint");
  await writeFile(join(workspace, "door.txt"), "blue\n");
  await git("commit", "-qam", "Paint it blue");
}

describe.skipIf(!(await hasTmux()))("flows", () => {
  test.each(sizes)(
    "/review picks a branch and a commit with a preview, at %i x %i",
    async (columns, rows) => {
      await using terminal = await startTerminal({
        columns,
        rows,
        model: [says("The door is fine."), says("Blue is fine.")],
      });
      await terminal.until("Describe a task");
      await makeRepository(terminal);

      await send(terminal, "/review");
      await terminal.until("What do you want to review?");
      await terminal.keys("2");
      await terminal.until(
        /Which base branch\?[\s\S]*trunk[\s\S]*1 commits? ahead[\s\S]*Paint it blue/,
      );
      await terminal.keys("Enter");
      await terminal.until("The door is fine.");
      await terminal.until("Describe a task");

      await send(terminal, "/review");
      await terminal.until("What do you want to review?");
      await terminal.keys("3");
      await terminal.until(/Which commit\?[\s\S]*Paint it blue[\s\S]*door\.txt/);
      await terminal.type("add the");
      await terminal.until(
        (screen) => !/Paint it blue/.test(screen.split("Which commit?")[1] ?? ""),
      );
      await terminal.keys("Enter");
      await terminal.until("Blue is fine.");
      const sent = JSON.stringify(terminal.model.requests[1]?.body);
      expect(sent).toContain("Add the door");
      expect(await terminal.history()).not.toContain("Which commit?");
    },
  );

  test.each(sizes)(
    "a side chat leaves no trace in the session, at %i x %i",
    async (columns, rows) => {
      await using terminal = await startTerminal({
        columns,
        rows,
        model: [says("Nine it is."), says("Because of the moon."), says("Still nine.")],
      });
      await terminal.until("Describe a task");
      await send(terminal, "remember nine");
      await terminal.until("Nine it is.");
      await terminal.until("Describe a task");

      await send(terminal, "/side why nine?");
      await terminal.until("Because of the moon.");
      await terminal.until("Side chat: ask something");
      await send(terminal, "/side");
      await terminal.until("Back in the session");
      await send(terminal, "which number?");
      await terminal.until("Still nine.");

      const [, aside, back] = terminal.model.requests.map(({ body }) => JSON.stringify(body));
      expect(aside).toContain("remember nine");
      expect(back).toContain("remember nine");
      expect(back).not.toContain("why nine?");
      const all = await terminal.history();
      expect(all.split("Nine it is.")).toHaveLength(2);

      await terminal.keys("C-d");
      await terminal.until("ended with 0");
      await terminal.restart("resume", "--last");
      await terminal.until(/Still nine\.[\s\S]*Describe a task/);
      expect(await terminal.history()).not.toContain("Because of the moon.");
    },
  );

  test.each(sizes)(
    "the resume picker previews and searches the contents, at %i x %i",
    async (columns, rows) => {
      await using terminal = await startTerminal({
        columns,
        rows,
        model: [says("The mouse is grey."), says("The cat is black.")],
      });
      await terminal.until("Describe a task");
      await send(terminal, "about mice");
      await terminal.until("The mouse is grey.");
      await terminal.until("Describe a task");
      await send(terminal, "/fork");
      await terminal.until("forked");
      await send(terminal, "about cats");
      await terminal.until("The cat is black.");
      await terminal.until("Describe a task");
      await send(terminal, "/new");
      await terminal.until(/^(?![\s\S]*The cat)|The cat is black\.[\s\S]*permissions/);

      await send(terminal, "/resume");
      const list = await terminal.until(/Select a session[\s\S]*The (?:cat|mouse) is/);
      expect(list).toMatch(/⑂ about mice/);
      expect(list).toMatch(/just now/);
      await terminal.type("grey");
      await terminal.until(/about mice[\s\S]*The mouse is/);
      await terminal.keys("Escape");
      await terminal.until("Describe a task");
      expect(await terminal.screen()).not.toContain("Select a session");
    },
  );

  test("commands about settings and the session say what they did", async () => {
    await using terminal = await startTerminal({ columns: 100, rows: 30, model: [says("Hello.")] });
    await terminal.until("Describe a task");
    await send(terminal, "/pwd");
    await terminal.until(/\/workspace\n[\s\S]*• .*\/workspace\n/);
    await send(terminal, "/cd nowhere");
    await terminal.until(/There is no folder .*nowhere/);
    await send(terminal, "/cd ..");
    await terminal.until("Folder from the next turn on:");
    await send(terminal, "/config");
    await terminal.until(/Settings[\s\S]*model .*config\.toml/);
    await terminal.type("personality");
    await terminal.keys("Enter");
    await terminal.until("friendly");
    await terminal.keys("2");
    await terminal.until(/personality = friendly/);
    expect(await readFile(join(terminal.home, "config.toml"), "utf8")).toContain(
      'personality = "friendly"',
    );
    await send(terminal, "/warnings");
    await terminal.until(/Warnings and errors[\s\S]*There is no folder/);
    await terminal.keys("q");
    await terminal.until((screen) => !screen.includes("Warnings and errors"));
    await send(terminal, "/memories");
    await terminal.until("What sessions remember");
    await terminal.keys("Escape");
    await terminal.until((screen) => !screen.includes("What sessions remember"));
    await send(terminal, "/feedback");
    await terminal.until("sends a report to the vendor");
    await send(terminal, "/mcp login");
    await terminal.until("No MCP servers are configured");
    await send(terminal, "/goal");
    await terminal.until("There is no goal");
    await send(terminal, "hi");
    await terminal.until("Hello.");
    await terminal.until("Describe a task");
    await send(terminal, "/delete");
    await terminal.until("Delete this session permanently?");
    await terminal.keys("2");
    await terminal.until("Session deleted");
  });

  test("/goal sets, shows, pauses and clears a goal", async () => {
    await using terminal = await startTerminal({
      columns: 100,
      rows: 30,
      model: [says("Hello."), says("One door."), says("Two doors.")],
      config: "features.goals = true",
    });
    await terminal.until("Describe a task");
    await send(terminal, "hi");
    await terminal.until("Hello.");
    await terminal.until("Describe a task");
    await send(terminal, "/goal paint all doors");
    await terminal.until(/objective\s+paint all doors/);
    await terminal.until("One door.");
    await send(terminal, "/goal pause");
    await terminal.until(/status\s+paused/);
    await send(terminal, "/goal clear");
    await terminal.until("The goal is cleared");
  });
});
