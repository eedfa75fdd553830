import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test as anyTest, expect } from "vitest";
import { says } from "../../support/model.js";
import { closeBrowserAtEnd, hasBrowser } from "../support/browser.js";
import { problemsOf, wideElements } from "../support/look.js";
import { send, startWeb } from "../support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

/** Answers that change a.txt and add a file, in two turns. */
const model = [
  [{ apply_patch: patch("*** Update File: a.txt\n@@\n-one\n+two\n+three") }],
  says("First done."),
  [{ apply_patch: patch("*** Add File: b.txt\n+new") }],
  says("Second done."),
  says("Third done."),
];

function patch(text: string): string {
  return `*** Begin Patch\n${text}\n*** End Patch`;
}

async function startTwoTurns(view: { width: number; height: number }) {
  const server = await startWeb({
    model,
    furnish: ({ project }) => writeFileSync(join(project, "a.txt"), "one\n"),
  });
  const page = await server.openPage({ viewport: view, bypassCSP: true });
  const assistant = page.getByRole("article", { name: "Assistant" });
  await send(page, "Change a");
  await assistant.filter({ hasText: "First done." }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await send(page, "Add b");
  await assistant.filter({ hasText: "Second done." }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  return { server, page, read: (name: string) => readFileSync(join(server.project, name), "utf8") };
}

const mine = (page: Page) => page.getByRole("article", { name: "You" }).allTextContents();

test("a rewind shows the files first, returns the message, and is taken back in another tab", async () => {
  const { server, page, read } = await startTwoTurns({ width: 1200, height: 800 });
  const tab = await server.openTab(page.context(), page.url());
  await page.getByRole("article", { name: /^File change: a.txt/ }).hover();
  await page.getByRole("button", { name: "Rewind to before this" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Rewind" });
  const files = dialog.getByRole("list", { name: "Files" }).getByRole("listitem");
  await expect.poll(() => files.allTextContents()).toEqual(["a.txt+1−2", "b.txtis deleted−1"]);
  expect(await dialog.textContent()).toContain("2 turns leave the conversation");
  expect(await problemsOf(page)).toEqual([]);
  expect(read("a.txt")).toBe("two\nthree\n");
  await dialog.getByRole("button", { name: "Rewind" }).click();
  await dialog.waitFor({ state: "detached" });

  for (const one of [page, tab]) await expect.poll(() => mine(one)).toEqual([]);
  expect(read("a.txt")).toBe("one\n");
  expect(() => read("b.txt")).toThrow("ENOENT");
  const box = page.getByRole("textbox", { name: "Message" });
  expect(await box.inputValue()).toBe("Change a");
  await tab.getByRole("status", { name: "Rewind" }).getByRole("button", { name: "Undo" }).click();
  const undo = tab.getByRole("dialog", { name: "Undo the rewind" });
  await expect
    .poll(() => undo.getByRole("list", { name: "Files" }).getByRole("listitem").count())
    .toBe(2);
  await undo.getByRole("button", { name: "Undo" }).click();
  for (const one of [page, tab]) {
    await expect.poll(() => mine(one)).toEqual(["Change a", "Add b"]);
  }
  expect(read("a.txt")).toBe("two\nthree\n");
  expect(read("b.txt")).toBe("new\n");
});

test("a file that was changed since stays, and the dialog says so", async () => {
  const { server, page, read } = await startTwoTurns({ width: 1200, height: 800 });
  writeFileSync(join(server.project, "a.txt"), "mine\n");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("rewind to before");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Rewind" });
  await dialog.getByRole("radio", { name: "The files only" }).check();
  await dialog.getByRole("button", { name: "Rewind" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(() => read("b.txt")).toThrow("ENOENT");
  expect(await mine(page)).toEqual(["Change a", "Add b"]);
  await page.getByRole("article", { name: /^File change: a.txt/ }).hover();
  await page.getByRole("button", { name: "Rewind to before this" }).first().click();
  await dialog
    .getByRole("list", { name: "Conflicts" })
    .getByRole("listitem")
    .filter({ hasText: "a.txt" })
    .waitFor();
  await dialog.getByRole("button", { name: "Rewind" }).click();
  await dialog.waitFor({ state: "detached" });

  expect(read("a.txt")).toBe("mine\n");
  await expect.poll(() => mine(page)).toEqual([]);
});

test("the tree shows all branches by keyboard and on a phone, and switches between them", async () => {
  const { server, page, read } = await startTwoTurns({ width: 390, height: 844 });
  const box = page.getByRole("textbox", { name: "Message" });
  const tree = page.getByRole("dialog", { name: "Tree of turns" });
  await box.blur();
  await page.keyboard.press("t");
  await expect.poll(() => tree.getByRole("radio").count()).toBe(2);
  expect(await tree.getByRole("radio", { name: /^Add b/ }).isChecked()).toBe(true);
  await tree.getByRole("button", { name: "Rewind to before this" }).click();
  const dialog = page.getByRole("dialog", { name: "Rewind" });
  await dialog.getByRole("list", { name: "Files" }).waitFor();
  expect(await wideElements(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Rewind" }).click();
  await expect.poll(() => mine(page)).toEqual(["Change a"]);
  await expect.poll(() => box.inputValue()).toBe("Add b");
  await send(page, `Something else ${"x".repeat(200)}`);
  const assistant = page.getByRole("article", { name: "Assistant" });
  await assistant.filter({ hasText: "Third done." }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await box.blur();
  await page.keyboard.press("t");
  await expect.poll(() => tree.getByRole("radio").count()).toBe(3);
  expect(await wideElements(page)).toEqual([]);
  expect(await problemsOf(page)).toEqual([]);
  await page.keyboard.press("ArrowUp");
  const other = tree.getByRole("radio", { name: /^Add b.*other branch/ });
  await expect.poll(() => other.isChecked()).toBe(true);
  await tree.getByRole("button", { name: "Continue from here" }).click();
  const switching = page.getByRole("dialog", { name: "Switch branch" });
  await switching.getByRole("list", { name: "Files" }).getByText("b.txt").waitFor();
  await switching.getByRole("button", { name: "Switch" }).click();

  await expect.poll(() => mine(page)).toEqual(["Change a", "Add b"]);
  expect(read("b.txt")).toBe("new\n");
  await page.reload();
  await expect.poll(() => mine(page)).toEqual(["Change a", "Add b"]);
  expect(server.origin).toBe(new URL(page.url()).origin);
});
