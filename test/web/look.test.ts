import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as anyTest, expect } from "vitest";
import { calls, fails, says } from "../support/model.js";
import { closeBrowserAtEnd, hasBrowser } from "./support/browser.js";
import { problemsOf, wideElements } from "./support/look.js";
import { send, startWeb } from "./support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

const word = "x".repeat(300);
const hostile = [
  "<script>window.hacked = 1</script>",
  '<img src="http://127.0.0.1:1/x.png" onerror="window.hacked = 2">',
  "[a](javascript:window.hacked=3) [b](vbscript:x) [c](data:text/html,<script>1</script>)",
  "![d](http://127.0.0.1:1/y.png) <iframe src='http://127.0.0.1:1/'></iframe>",
  "<a href=\"javascript:window.hacked=4\" onclick='window.hacked=5'>e</a>",
].join("\n\n");
const oldCode = `const name: string = "one" + 5; // old {}`;
const newCode = `const name: string = "two" + 7; // new {}`;
const codeChange = `-${oldCode}\n+${newCode}`;
const columns = `\n\n${"| a ".repeat(20)}|\n${"|-".repeat(20)}|\n${"| wide ".repeat(20)}|`;
const wide = `# ${word}\n\n${word}\n\n\`${word}\`\n\n\`\`\`ts\nconst ${word} = 1;\n\`\`\`\n\n| ${word} | b |\n| - | - |\n| 1 | ${word} |${columns}`;

test("on a phone nothing scrolls sideways, and approvals and input are in sight", async () => {
  const server = await startWeb({
    settings: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    model: [calls("shell_command", { command: `touch ${word.slice(0, 200)}` }), says(wide)],
  });
  const viewport = { width: 390, height: 844 };
  const page = await server.openPage({ viewport, hasTouch: true, isMobile: true });
  await send(page, `Say ${word}`);
  const group = page.getByRole("group", { name: "Approval" });
  await group.waitFor();
  const parts = [
    page.getByRole("textbox", { name: "Message" }),
    page.getByRole("button", { name: "Send" }),
    ...["Approve", "Approve for session", "Decline", "Decline and stop"].map((name) =>
      group.getByRole("button", { name, exact: true }),
    ),
  ];
  for (const part of parts) {
    const box = await part.boundingBox();
    expect(box).not.toBeNull();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  }
  expect(await wideElements(page)).toEqual([]);
  await group.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("article", { name: "Assistant" }).waitFor();
  expect(await wideElements(page)).toEqual([]);

  const threads = page.getByRole("navigation", { name: "Threads" });
  expect(await threads.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Threads" }).click();
  await threads.getByRole("button", { name: "New thread" }).waitFor();
  expect(await wideElements(page)).toEqual([]);
  await threads.getByRole("button", { name: "New thread" }).click();
  await expect.poll(() => threads.isVisible()).toBe(false);
  expect(new URL(page.url()).hash).toBe("");
});

test.each(["light", "dark"] as const)("axe finds nothing in %s", async (colorScheme) => {
  const server = await startWeb({
    settings: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    model: [
      calls("update_plan", { plan: [{ step: "Look", status: "in_progress" }] }),
      [{ apply_patch: `*** Begin Patch\n*** Update File: a.ts\n@@\n${codeChange}\n*** End Patch` }],
      says("# Done\n\n- `code`\n\n```js\nlet a = 1; // b\n```\n\n[link](https://example.com)"),
      fails(400),
    ],
    furnish: ({ project }) => writeFileSync(join(project, "a.ts"), `${oldCode}\n`),
  });
  const page = await server.openPage({ colorScheme, bypassCSP: true });
  expect(await problemsOf(page)).toEqual([]);
  await send(page, "Begin");
  await page.getByRole("group", { name: "Approval" }).waitFor();
  expect(await problemsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("article", { name: "Assistant" }).waitFor();
  const added = page.getByRole("insertion").first();
  await added.locator(".hl-keyword").waitFor();
  expect(await added.locator("b").allTextContents()).toEqual(["two", "7", "new"]);
  expect(await added.textContent()).toBe(newCode);
  await send(page, "Fail");
  await page.getByRole("article", { name: /^Notice/ }).waitFor();
  await page.getByRole("button", { name: "Details" }).click();
  await page.getByRole("tab", { name: "Status" }).click();
  expect(await problemsOf(page)).toEqual([]);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search commands" }).waitFor();
  expect(await problemsOf(page)).toEqual([]);
});

test("text of the model, commands, output, files and names stays text", async () => {
  const server = await startWeb({
    model: [
      calls("shell_command", { command: "printf '%s' '<img src=x onerror=window.hacked=6>'" }),
      [
        {
          apply_patch: "*** Begin Patch\n*** Add File: <b>.txt\n+<script>1</script>\n*** End Patch",
        },
      ],
      says(hostile),
    ],
  });
  const page = await server.openPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await send(page, "<u>name</u>");
  await page.getByRole("article", { name: "Assistant" }).waitFor();
  await page.getByRole("region", { name: "Changes" }).getByRole("insertion").waitFor();

  const text = await page.getByRole("log", { name: "Conversation" }).textContent();
  for (const part of ["<script>window.hacked = 1</script>", "<iframe", "<u>name</u>", "<b>.txt"]) {
    expect(text).toContain(part);
  }
  const list = page.getByRole("navigation", { name: "Threads" });
  await list.getByText("<u>name</u>").waitFor();
  const found = await page.evaluate(() => ({
    hacked: "hacked" in window,
    elements: document.body.querySelectorAll("script, iframe, object, embed, u, img").length,
    handlers: [...document.querySelectorAll("*")].filter((one) =>
      [...one.attributes].some(({ name }) => name.startsWith("on")),
    ).length,
    links: [...document.links].map(({ protocol }) => protocol),
  }));
  expect(found.hacked).toBe(false);
  expect(found.elements).toBe(0);
  expect(found.handlers).toBe(0);
  expect(new Set(found.links)).toEqual(new Set(["http:"]));
  expect(asked.filter((url) => !url.startsWith(server.origin))).toEqual([]);
});

test("the first paint is soon and small", async () => {
  const server = await startWeb();
  const page = await server.openPage();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const paints: number[] = [];
  for (let tries = 0; tries < 3; tries++) {
    bytes = 0;
    await page.reload();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    paints.push(
      await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 9999,
      ),
    );
  }

  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(120 * 1024);
  // The best of three: the machine of a test run is busy.
  expect(Math.min(...paints)).toBeLessThan(300);
});
