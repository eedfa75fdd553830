import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as anyTest, expect } from "vitest";
import { calls, says } from "../support/model.js";
import { closeBrowserAtEnd, hasBrowser } from "./support/browser.js";
import { listenLiveModel } from "./support/live-model.js";
import { problemsOf } from "./support/look.js";
import { connected, send, startWeb } from "./support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

const asking = 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"';

test("an approval says what the session and the rule cover; the rule is saved by key", async () => {
  const run = (id: string) => calls("shell", { command: ["touch", "one"] }, id);
  const server = await startWeb({ settings: asking, model: [run("c1"), run("c2"), says("Done.")] });
  const page = await server.openPage();
  await send(page, "Touch it");
  const approval = page.getByRole("group", { name: "Approval" });
  await approval.getByText("does not ask again for this exact command").waitFor();
  await approval.getByText("commands that start with touch one").waitFor();
  const rule = approval.getByRole("button", { name: "Always allow", exact: true });
  expect(await rule.getAttribute("aria-describedby")).toBe("rule-scope");
  await page.getByRole("textbox", { name: "Message" }).blur();
  await page.keyboard.press("r");

  await page.getByRole("article", { name: "Assistant" }).filter({ hasText: "Done." }).waitFor();
  expect(await page.getByRole("article", { name: /^Command/ }).count()).toBe(2);
  expect(await approval.count()).toBe(0);
});

test("an approval shows hidden characters, and the turn waits while a long command is folded", async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `touch f${at}`).join("\n");
  const command = `touch \u202Etxt.sh\n${lines}`;
  const server = await startWeb({
    settings: asking,
    model: [calls("shell_command", { command, justification: "zero\u200Bwidth" }), says("Done.")],
  });
  const page = await server.openPage();
  await send(page, "Touch them");
  const approval = page.getByRole("group", { name: "Approval" });
  await approval.locator("pre").filter({ hasText: "touch <202E>txt.sh" }).waitFor();
  expect(await approval.locator("pre").textContent()).toContain("touch f29");
  await page
    .getByRole("log")
    .getByText(/^Waiting for you/)
    .waitFor();
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("article", { name: "Assistant" }).filter({ hasText: "Done." }).waitFor();

  const ran = page.getByRole("article", { name: /^Command/ });
  expect(await ran.textContent()).not.toContain("touch f29");
  await ran.getByRole("button", { name: "23 more lines of the command" }).click();
  expect(await ran.textContent()).toContain("touch f29");
});

test("a message for the running turn is visible until the model reads it", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  await send(page, "Begin");
  const first = await model.nextAnswer();
  await send(page, "Also this");
  const sent = page.getByRole("region", { name: "Sent" });
  await sent.getByText("Also this").waitFor();
  first.finish();
  const second = await model.nextAnswer();
  await page.getByRole("article", { name: "You" }).filter({ hasText: "Also this" }).waitFor();
  await sent.waitFor({ state: "detached" });
  second.say("Both.");
  second.finish();

  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  expect(await page.getByRole("article", { name: "You" }).count()).toBe(2);
  await model.close();
});

test("each turn has its own tokens and cost, also after a reload", async () => {
  const server = await startWeb({
    model: [calls("shell_command", { command: "true" }), says("One."), says("Two.")],
  });
  const page = await server.openPage();
  for (const text of ["One", "Two"]) {
    await send(page, text);
    await page.getByRole("article", { name: "Assistant" }).filter({ hasText: text }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  }

  for (const _ of ["live", "reloaded"]) {
    const footers = page.locator(".turn-end .facts");
    await expect
      .poll(async () =>
        (await footers.allTextContents()).map((text) => /\d+ tokens/.exec(text)?.[0]),
      )
      .toEqual(["260 tokens", "130 tokens"]);
    await page.reload();
    await connected(page);
  }
});

test("files and commands complete the message, and an archived thread returns", async () => {
  const server = await startWeb({
    model: [says("- [x] read\n- [ ] fixed")],
    furnish({ project }) {
      mkdirSync(join(project, "src"));
      writeFileSync(join(project, "src/basket.ts"), "");
    },
  });
  const page = await server.openPage({ bypassCSP: true });
  const box = page.getByRole("textbox", { name: "Message" });
  await box.pressSequentially("Read @bask");
  await page.getByRole("option", { name: "src/basket.ts" }).waitFor();
  await page.keyboard.press("Tab");
  expect(await box.inputValue()).toBe("Read src/basket.ts ");
  await page.keyboard.press("Enter");
  await page.getByRole("listitem").filter({ hasText: "To do: fixed" }).waitFor();
  expect(await problemsOf(page)).toEqual([]);

  await box.pressSequentially("/arch");
  await page.getByRole("option", { name: /^\/archive/ }).waitFor();
  expect(await problemsOf(page)).toEqual([]);
  await page.keyboard.press("Enter");
  expect(await box.inputValue()).toBe("");
  const list = page.getByRole("navigation", { name: "Threads" });
  await list.getByText("No threads yet").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await list.getByRole("link", { name: /basket/ }).waitFor();
});

test("the focus stays at the input when Stop or an approval goes", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ settings: asking, model });
  const page = await server.openPage();
  const isAtInput = () => page.evaluate(() => document.activeElement?.className === "dock");
  await send(page, "Touch it");
  const first = await model.nextAnswer();
  first.call("shell", { command: ["touch", "one"] });
  await page.getByRole("button", { name: "Approve", exact: true }).press("Enter");
  const second = await model.nextAnswer();
  await expect.poll(isAtInput, { timeout: 5000 }).toBe(true);
  second.say("Well");
  await page.getByText("Well").waitFor();
  await page.getByRole("button", { name: "Stop" }).press("Enter");

  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await expect.poll(isAtInput, { timeout: 5000 }).toBe(true);
  await model.close();
});

test("the list on a narrow screen takes the focus, and Escape closes it", async () => {
  const server = await startWeb();
  const page = await server.openPage({ viewport: { width: 390, height: 844 } });
  const button = page.getByRole("button", { name: "Threads" });
  await button.focus();
  await page.keyboard.press("Enter");
  const list = page.getByRole("navigation", { name: "Threads" });
  await list.getByRole("button", { name: "New thread" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("New thread");
  await page.keyboard.press("Escape");

  await list.waitFor({ state: "hidden" });
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Threads");
});

test("a new thread shows the settings of the config", async () => {
  const server = await startWeb({
    settings: 'approval_policy = "on-request"\nsandbox_mode = "read-only"',
    furnish({ home }) {
      const file = join(home, "config.toml");
      const model = 'model = "gpt-5.5"\nmodel_reasoning_effort = "high"';
      writeFileSync(file, readFileSync(file, "utf8").replace(/^model = .*$/m, model));
    },
  });
  const page = await server.openPage();
  const chosen = (name: string) => page.getByRole("combobox", { name }).inputValue();

  await expect.poll(() => chosen("Model")).toBe("gpt-5.5");
  expect(await chosen("Effort")).toBe("high");
  expect(await chosen("Permissions")).toBe("read");
});

test("a message that is sent shows the end of the conversation", async () => {
  const long = Array.from({ length: 200 }, (_, at) => `Line ${at}`).join("\n\n");
  const server = await startWeb({ model: [says(long), says("Done.")] });
  const page = await server.openPage();
  const jump = page.getByRole("button", { name: "Jump to latest" });
  await send(page, "Write");
  await page.getByText("Line 199").waitFor();
  await page.getByRole("log").evaluate((element) => {
    element.scrollTop = 0;
  });
  await jump.waitFor();
  await send(page, "Again");

  await jump.waitFor({ state: "detached" });
  await page.getByText("Done.").waitFor();
  const rest = await page
    .getByRole("log")
    .evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    );
  expect(rest).toBeLessThan(2);
});
