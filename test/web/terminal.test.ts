import { test as anyTest, expect } from "vitest";
import { hasTmux, startTerminal } from "../support/terminal.js";
import { closeBrowserAtEnd, hasBrowser } from "./support/browser.js";
import { listenLiveModel } from "./support/live-model.js";
import { send, startWeb } from "./support/web-server.js";

const test = anyTest.skipIf(!hasBrowser || !(await hasTmux()));
closeBrowserAtEnd();

const asking = 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"';

test("a terminal and two tabs share a thread: its text, its approval and its messages", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model, settings: asking });
  const tab = await server.openPage();
  const other = await server.openTab(tab.context(), server.origin);
  const tabs = [tab, other];
  const remote = await server.remoteTerminal(await server.newCode());
  await using terminal = await startTerminal({ ...remote, columns: 100, rows: 40 });
  await terminal.until("Describe a task");

  await terminal.type("Count for me");
  await terminal.keys("Enter");
  const first = await model.nextAnswer();
  first.say("one two ");
  for (const page of tabs) {
    await page.getByRole("navigation", { name: "Threads" }).getByText("Count for me").click();
    await page.getByRole("article", { name: "Assistant" }).getByText("one two").waitFor();
  }
  first.say("three");
  await terminal.until("one two three");
  for (const page of tabs) await page.getByText("one two three").waitFor();

  first.call("shell", { command: ["touch", "counted"] });
  await terminal.until(/Allow this command[\s\S]*touch counted/);
  const approvals = tabs.map((page) => page.getByRole("group", { name: "Approval" }));
  for (const approval of approvals) await approval.getByText("touch counted").first().waitFor();
  await tab.getByRole("button", { name: "Approve", exact: true }).click();
  const second = await model.nextAnswer();
  for (const approval of approvals) await approval.waitFor({ state: "detached" });
  await terminal.until((screen) => !screen.includes("Allow this command"));
  second.say("It is counted.");
  second.finish();
  await terminal.until("It is counted.");
  for (const page of tabs) await page.getByText("It is counted.").waitFor();

  await send(other, "And from a tab");
  const third = await model.nextAnswer();
  third.say("A tab was here.");
  third.finish();
  await terminal.until(/And from a tab[\s\S]*A tab was here\./);
  for (const page of tabs) {
    await page.getByText("A tab was here.").waitFor();
    expect(await page.getByRole("article", { name: "You" }).allTextContents()).toEqual([
      expect.stringContaining("Count for me"),
      expect.stringContaining("And from a tab"),
    ]);
  }
  await model.close();
});
