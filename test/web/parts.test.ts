import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as anyTest, expect } from "vitest";
import { calls, says } from "../support/model.js";
import { closeBrowserAtEnd, hasBrowser } from "./support/browser.js";
import { listenLiveModel } from "./support/live-model.js";
import { send, startWeb } from "./support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("questions, images, names, search and commands work by keyboard", async () => {
  const options = [
    { label: "Red", description: "like fire" },
    { label: "Blue", description: "like water" },
  ];
  const question = { id: "q1", header: "Color", question: "Which color?", options };
  const server = await startWeb({
    settings: [
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      "features.default_mode_request_user_input = true",
    ].join("\n"),
    model: [
      calls("request_user_input", { questions: [question] }),
      says("Blue it is."),
      says("Nice picture."),
    ],
  });
  const page = await server.openPage();
  const box = page.getByRole("textbox", { name: "Message" });
  const assistant = page.getByRole("article", { name: "Assistant" });
  await send(page, "Paint it");
  await page.getByRole("group", { name: "Question" }).filter({ hasText: "Which color?" }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^◆ Paint it/);
  await box.blur();
  await page.keyboard.press("2");
  await assistant.filter({ hasText: "Blue it is." }).waitFor();
  const answered = page.getByRole("article", { name: "Notice: Answered 1 question" });
  expect(await answered.textContent()).toContain("Which color?Blue");

  await box.evaluate((element, base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "a.png", { type: "image/png" }));
    const paste = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", paste));
  }, pixel);
  await page.getByRole("button", { name: "Remove image" }).waitFor();
  await box.fill("Look");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("at this");
  await page.keyboard.press("Enter");
  await assistant.filter({ hasText: "Nice picture." }).waitFor();
  const mine = page.getByRole("article", { name: "You" }).last();
  expect(await mine.textContent()).toBe("Look\nat this");
  expect(await mine.getByRole("img").getAttribute("src")).toContain(pixel);

  const list = page.getByRole("navigation", { name: "Threads" });
  const row = list.getByRole("listitem").first();
  await row.hover();
  await row.getByRole("button", { name: /^Rename/ }).click();
  await list.getByRole("textbox", { name: "Name of the thread" }).fill("A painting");
  await page.keyboard.press("Enter");
  await list.getByRole("link", { name: /A painting/ }).waitFor();
  await list.getByRole("searchbox", { name: "Search threads" }).fill("nice picture");
  await list.getByRole("link", { name: /A painting/ }).waitFor();
  await list.getByRole("searchbox").fill("nothing like it");
  await list.getByText("Nothing found").waitFor();
  await list.getByRole("searchbox").fill("");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search commands" }).waitFor();
  await page.keyboard.type("fork");
  await page.keyboard.press("Enter");
  await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
  await assistant.filter({ hasText: "Nice picture." }).waitFor();
  await box.blur();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.getByRole("heading", { name: "project" }).waitFor();
  expect(new URL(page.url()).hash).toBe("");
  await page.goBack();
  await assistant.filter({ hasText: "Nice picture." }).waitFor();
});

test("plan mode is switched, messages are queued, edited and removed, and a goal is set", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  const box = page.getByRole("textbox", { name: "Message" });
  const plan = page.getByRole("button", { name: "Plan", exact: true });
  await plan.click();
  await expect.poll(() => plan.getAttribute("aria-pressed")).toBe("true");
  await send(page, "Think first");
  const first = await model.nextAnswer();
  const program = await server.connectProgram(await server.newCode());
  const threadId = new URL(page.url()).hash.replace("#thread=", "");
  const mode = async () =>
    (await program.request("thread/resume", { threadId })).collaborationMode?.mode;
  expect(await mode()).toBe("plan");
  await plan.click();
  await expect.poll(() => plan.getAttribute("aria-pressed")).toBe("false");
  expect(await mode()).toBe("default");

  const queue = page.getByRole("region", { name: "Queue" });
  for (const text of ["Second", "Third", "Fourth"]) {
    await box.fill(text);
    await page.keyboard.press("Control+Enter");
    await queue.getByText(text).waitFor();
  }
  await queue.getByRole("button", { name: "Remove Third" }).click();
  await queue.getByText("Third").waitFor({ state: "detached" });
  await queue.getByRole("button", { name: "Edit" }).last().click();
  await expect.poll(() => box.inputValue()).toBe("Fourth");
  first.finish();
  const second = await model.nextAnswer();
  await queue.waitFor({ state: "detached" });
  second.finish();

  const mine = page.getByRole("article", { name: "You" });
  await expect.poll(() => mine.allTextContents()).toEqual(["Think first", "Second"]);
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Details" }).click();
  await page.getByRole("tab", { name: "Status" }).click();
  await page.getByRole("textbox", { name: "Goal" }).fill("Ship it");
  await page.getByRole("button", { name: "Set goal" }).click();
  await expect
    .poll(async () => (await program.request("thread/goal/get", { threadId })).goal?.objective)
    .toBe("Ship it");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect
    .poll(async () => (await program.request("thread/goal/get", { threadId })).goal)
    .toBeNull();
  await model.close();
});

test("a changed file is viewed, its words are marked, and long output is searched", async () => {
  const server = await startWeb({
    furnish: ({ project }) => writeFileSync(join(project, "a.txt"), "let total = 1;\n"),
    model: [
      [
        {
          apply_patch:
            "*** Begin Patch\n*** Update File: a.txt\n@@\n-let total = 1;\n+let sum = 1;\n*** End Patch",
        },
      ],
      calls("shell_command", { command: "seq 1 100" }),
      says("Done."),
    ],
  });
  const page = await server.openPage({ viewport: { width: 1400, height: 900 } });
  await send(page, "Rename it");
  await page.getByRole("article", { name: "Assistant" }).waitFor();
  const changes = page.getByRole("region", { name: "Changes" });
  const sides = async () => {
    const [old, next] = [changes.getByRole("deletion"), changes.getByRole("insertion")];
    return [(await old.boundingBox())?.y, (await next.boundingBox())?.y];
  };
  const [left, right] = await sides();
  expect(left).toBe(right);
  expect(await changes.locator("b").allTextContents()).toEqual(["total", "sum"]);
  await changes.getByRole("button", { name: "Unified" }).click();
  const [above, below] = await sides();
  expect(above).toBeLessThan(below ?? 0);

  await changes.getByRole("button", { name: "View file a.txt" }).click();
  const file = page.getByRole("dialog", { name: "File a.txt" });
  await file.getByText("let sum = 1;").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "⋯ 92 more lines" }).click();
  await page.getByRole("searchbox", { name: "Search in output" }).fill("99");
  await page.getByRole("status").filter({ hasText: "1 of 1" }).waitFor();
  expect(await page.locator("mark").textContent()).toBe("99");
});
