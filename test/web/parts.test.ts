import { test as anyTest, expect } from "vitest";
import { calls, says } from "../support/model.js";
import { closeBrowserAtEnd, hasBrowser } from "./support/browser.js";
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
