import { test as anyTest, expect } from "vitest";
import { spawn, wait } from "../support/agents.js";
import { calls, fails, says } from "../support/model.js";
import { closeBrowserAtEnd, hasBrowser, openContext } from "./support/browser.js";
import { listenLiveModel } from "./support/live-model.js";
import { codeIn, connected, itemsOf, send, startWeb } from "./support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

const asking = 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"';
const patch = "*** Begin Patch\n*** Add File: notes.txt\n+hello <b>\n*** End Patch";

test("an unpaired page is nothing but the form; the code comes from the address and leaves it", async () => {
  const server = await startWeb();
  const page = await (await openContext()).newPage();
  await page.goto(server.address);
  const code = page.getByRole("textbox", { name: "Pairing code" });
  await expect.poll(() => code.inputValue()).toBe(codeIn(server.address));

  expect(page.url()).toBe(`${server.origin}/`);
  expect(await page.getByRole("textbox").count()).toBe(2);
  expect(await page.getByRole("button").count()).toBe(1);
  expect(await page.getByRole("navigation").count()).toBe(0);
  expect(await page.locator("main").count()).toBe(1);
  await code.fill("WRONG");
  await page.getByRole("button", { name: "Pair" }).click();
  await page.getByRole("alert").filter({ hasText: "quire web pair" }).waitFor();
  await code.fill(codeIn(server.address));
  await page.getByRole("textbox", { name: "Device name" }).fill("My laptop");
  await page.keyboard.press("Enter");
  await connected(page);
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  expect(await page.title()).toBe("Quire");
});

test("a message streams; a reload, a second tab and another program lose and double nothing", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  const box = page.getByRole("textbox", { name: "Message" });
  await send(page, "Tell me a story");
  const answer = await model.nextAnswer();
  answer.say("Once upon ");
  const assistant = page.getByRole("article", { name: "Assistant" });
  await assistant.filter({ hasText: "Once upon" }).waitFor();
  expect(await box.inputValue()).toBe("");
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(1);
  answer.say("a time. ");
  await assistant.filter({ hasText: "Once upon a time." }).waitFor();
  // More than the server buffers for clients that reconnect.
  const words = Array.from({ length: 1500 }, (_, at) => `w${at} `);
  for (const word of words) answer.say(word);

  await page.reload();
  const tab = await server.openTab(page.context(), page.url());
  const program = await server.connectProgram(await server.newCode());
  const threadId = new URL(page.url()).hash.replace("#thread=", "");
  await program.request("thread/resume", { threadId, excludeTurns: true });
  answer.say("The end.");
  for (const one of [page, tab]) {
    await one
      .getByRole("article", { name: "Assistant" })
      .filter({ hasText: /w1499 The end/ })
      .waitFor();
  }
  answer.finish();
  const story = `Once upon a time. ${words.join("")}The end.`;
  for (const one of [page, tab]) {
    await expect.poll(() => one.getByRole("button", { name: "Stop" }).count()).toBe(0);
    expect(await itemsOf(one)).toEqual([
      ["You", "Tell me a story"],
      ["Assistant", story],
    ]);
  }

  const input = [{ type: "text" as const, text: "Another one" }];
  await program.request("turn/start", { threadId, input });
  const second = await model.nextAnswer();
  second.say("No.");
  second.finish();
  for (const one of [page, tab]) {
    await one.getByRole("article", { name: "Assistant" }).filter({ hasText: "No." }).waitFor();
    expect((await itemsOf(one)).map(([name]) => name)).toEqual([
      "You",
      "Assistant",
      "You",
      "Assistant",
    ]);
  }
  await model.close();
}, 30_000);

test("an agent asks in the thread of its root, and its own thread has the details", async () => {
  const server = await startWeb({
    settings: `${asking}\nfeatures.multi_agent_v2 = true`,
    model: {
      answers: [[spawn("writer")], wait, says("All done.")],
      agents: { "*": [calls("shell_command", { command: "touch made" }), says("It is made.")] },
    },
  });
  const page = await server.openPage();
  await send(page, "Use a helper");
  const approval = page.getByRole("group", { name: "Approval" });
  await approval.filter({ hasText: "touch made" }).waitFor();

  await approval.getByRole("button", { name: "/root/writer" }).click();
  await page.getByRole("article", { name: /^Command/ }).waitFor();
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("It is made.").waitFor();
  await page.goBack();
  await page.getByText("All done.").waitFor();
});

test("a command is approved by click, another by key, and a third is declined with the turn", async () => {
  const run = (command: string, id: string) => calls("shell_command", { command }, id);
  const server = await startWeb({
    settings: asking,
    model: [
      run("touch one", "c1"),
      run("touch two", "c2"),
      run("touch three", "c3"),
      says("Unreachable."),
    ],
  });
  const page = await server.openPage();
  const tab = await server.openTab(page.context(), `${server.origin}/`);
  const approval = page.getByRole("group", { name: "Approval" });
  await send(page, "Touch files");
  await approval.filter({ hasText: "touch one" }).waitFor();
  await tab.getByRole("navigation", { name: "Threads" }).getByText("Touch files").click();
  await tab.getByRole("group", { name: "Approval" }).filter({ hasText: "touch one" }).waitFor();
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await approval.filter({ hasText: "touch two" }).waitFor();
  // Settled in one tab, it is gone in the other.
  await tab.getByRole("group", { name: "Approval" }).filter({ hasText: "touch two" }).waitFor();
  expect(await tab.getByRole("group", { name: "Approval" }).count()).toBe(1);
  await page.getByRole("textbox", { name: "Message" }).focus();
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Shift+Tab");
    const name = await page.evaluate(() => document.activeElement?.textContent ?? "");
    if (name.startsWith("Approve") && !name.includes("session")) break;
  }
  await page.keyboard.press("Enter");
  await approval.filter({ hasText: "touch three" }).waitFor();
  await approval.getByRole("button", { name: "Decline and stop" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);

  expect(await page.getByRole("group", { name: "Approval" }).count()).toBe(0);
  await expect.poll(() => tab.getByRole("group", { name: "Approval" }).count()).toBe(0);
  const commands = await page.getByRole("article", { name: /^Command/ }).count();
  expect(commands).toBe(3);
});

test("a file change shows its lines in the region Changes, before and after a reload", async () => {
  const server = await startWeb({ model: [[{ apply_patch: patch }], says("Done.")] });
  const page = await server.openPage();
  await send(page, "Write notes");
  await page.getByRole("article", { name: "Assistant" }).waitFor();

  for (const _ of ["live", "reloaded"]) {
    const changes = page.getByRole("region", { name: "Changes" });
    await changes
      .getByRole("insertion")
      .filter({ hasText: /^hello <b>$/ })
      .waitFor();
    expect(await changes.textContent()).toContain("notes.txt");
    expect(await changes.getByRole("deletion").count()).toBe(0);
    await page.reload();
  }
});

test("a command that ran when the server was killed stays on the page, with its output", async () => {
  const server = await startWeb({
    model: [calls("shell_command", { command: "echo begun; sleep 60" }), says("Again.")],
  });
  const page = await server.openPage();
  await send(page, "Run it");
  const command = page.getByRole("article", { name: /^Command/ });
  await command.locator("pre").filter({ hasText: "begun" }).waitFor();

  await server.kill();
  await page.getByRole("status", { name: "Connection" }).filter({ hasText: /^Dis/ }).waitFor();
  await server.restart();
  await connected(page);

  await command.locator("pre").filter({ hasText: "begun" }).waitFor();
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  await send(page, "Go on");
  await page.getByRole("article", { name: "Assistant" }).filter({ hasText: "Again." }).waitFor();
  expect((await itemsOf(page)).map(([name]) => name.split(":")[0])).toEqual([
    "You",
    "Command",
    "You",
    "Assistant",
  ]);
});

test("another device sees plans and failures of finished turns", async () => {
  const server = await startWeb({
    model: [
      calls("update_plan", { plan: [{ step: "Look", status: "completed" }] }),
      says("Planned."),
      fails(400),
    ],
  });
  const page = await server.openPage();
  await send(page, "Plan it");
  const entry = page.getByRole("navigation", { name: "Threads" }).getByText("Plan it");
  await page.getByRole("article", { name: "Assistant" }).filter({ hasText: "Planned." }).waitFor();
  expect(await entry.count()).toBe(1);
  await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  await send(page, "Fail");
  await page.getByRole("article", { name: /^Notice: mock error/ }).waitFor();

  const other = await (await openContext()).newPage();
  await other.goto(`${server.origin}/#pair=${await server.newCode()}`);
  await other.getByRole("button", { name: "Pair" }).click();
  await other.getByRole("navigation", { name: "Threads" }).getByText("Plan it").click();
  await other.getByRole("article", { name: /^Notice: mock error/ }).waitFor();

  expect((await itemsOf(other)).map(([name]) => name.split(":")[0])).toEqual([
    "You",
    "Assistant",
    "Plan",
    "You",
    "Notice",
  ]);
});

test("messages that are sent in a row all arrive, in their order", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  const mine = page.getByRole("article", { name: "You" });
  for (const text of ["One", "Two", "Three"]) await send(page, text);
  await page.getByRole("textbox", { name: "Message" }).fill("Not sent");
  const answer = await model.nextAnswer();
  answer.finish();
  (await model.nextAnswer()).finish();

  await expect.poll(() => mine.allTextContents()).toEqual(["One", "Two", "Three"]);
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("Not sent");
  expect(await page.getByRole("navigation", { name: "Threads" }).getByRole("link").count()).toBe(1);
  await model.close();
});

test("a server that hangs is noticed, and a question of it is asked once when it is back", async () => {
  const server = await startWeb({
    settings: asking,
    model: [calls("shell_command", { command: "touch one" }), says("Done.")],
  });
  const page = await server.openPage();
  await page.clock.install();
  await page.reload();
  await connected(page);
  await send(page, "Touch it");
  const approval = page.getByRole("group", { name: "Approval" });
  await approval.waitFor();
  server.freeze();
  const status = page.getByRole("status", { name: "Connection" });
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(5000);
        return status.textContent();
      },
      { timeout: 15_000 },
    )
    .not.toMatch(/^Connected/);
  expect(await approval.count()).toBe(0);
  server.thaw();

  await expect
    .poll(
      async () => {
        await page.clock.fastForward(1000);
        return status.textContent();
      },
      { timeout: 15_000 },
    )
    .toMatch(/^Connected/);
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("article", { name: "Assistant" }).filter({ hasText: "Done." }).waitFor();
  expect(await approval.count()).toBe(0);
});

test("after a restart of the server the page is back by itself, paired and complete", async () => {
  const server = await startWeb({ model: [says("First."), says("Second.")] });
  const page = await server.openPage();
  await send(page, "One");
  await page.getByRole("article", { name: "Assistant" }).filter({ hasText: "First." }).waitFor();
  const before = await itemsOf(page);
  await page.getByRole("textbox", { name: "Message" }).fill("A draft");

  await server.stop();
  const status = page.getByRole("status", { name: "Connection" });
  await status.filter({ hasText: /^(?!Connected)/ }).waitFor();
  await server.restart();
  await connected(page);

  expect(await itemsOf(page)).toEqual(before);
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("A draft");
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Assistant" }).filter({ hasText: "Second." }).waitFor();
  expect((await itemsOf(page)).map(([name]) => name)).toEqual([
    "You",
    "Assistant",
    "You",
    "Assistant",
  ]);
});
