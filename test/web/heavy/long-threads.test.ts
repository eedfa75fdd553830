import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test as anyTest, expect } from "vitest";
import { closeBrowserAtEnd, hasBrowser } from "../support/browser.js";
import { listenLiveModel } from "../support/live-model.js";
import { send, startWeb } from "../support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

const threadId = "01a1ecae-c5c3-7382-b106-f94977082973";

test("a thread of 10,000 items opens at its end, scrolls smoothly and stays small", async () => {
  const server = await startWeb({
    furnish: ({ home, project }) => writeThread(home, project, 10_000),
  });
  const page = await server.openPage();
  const base = await frameTimes(page, 0);
  const started = Date.now();
  await page.goto(`${server.origin}/#thread=${threadId}`);
  await page.getByText("Answer 1999").waitFor();

  expect(Date.now() - started).toBeLessThan(5000);
  const frames = await frameTimes(page, 600);
  expect(frames).toBeLessThan(Math.max(250, 6 * base));
  await expect
    .poll(
      async () => {
        await page.getByRole("log").evaluate((element) => {
          element.scrollTop = 0;
        });
        return page.getByRole("log").getByText("Question 0", { exact: true }).count();
      },
      { timeout: 90_000, interval: 50 },
    )
    .toBe(1);
  expect(await heapOf(page)).toBeLessThan(60e6);
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await page.getByText("Answer 1999").waitFor();
});

test("an answer of 20 MB leaves the page usable, while it arrives and after a reload", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  await send(page, "Write a lot");
  const answer = await model.nextAnswer();
  const piece = `${"lorem ipsum dolor sit amet ".repeat(370)}\n\n`;
  for (let count = 0; count < 2000; count++) answer.say(piece);
  answer.finish();
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill("still here");
  expect(await box.inputValue()).toBe("still here");
  await page.getByRole("button", { name: /^Show more/ }).waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: /^Show more/ }).click();
  expect(await heapOf(page)).toBeLessThan(300e6);

  await page.reload();
  await page.getByRole("button", { name: /^Show more/ }).waitFor({ timeout: 60_000 });
  expect(await heapOf(page)).toBeLessThan(300e6);
  await model.close();
});

test("a thousand deltas a second leave time for typing", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  await send(page, "Stream");
  const answer = await model.nextAnswer();
  let sent = 0;
  const timer = setInterval(() => {
    for (let count = 0; count < 10; count++) answer.say(`word${sent++} `);
  }, 10);
  const box = page.getByRole("textbox", { name: "Message" });
  await box.pressSequentially("typed while it streams", { delay: 20 });
  await expect.poll(() => sent, { timeout: 30_000 }).toBeGreaterThan(2000);
  clearInterval(timer);
  answer.finish();

  expect(await box.inputValue()).toBe("typed while it streams");
  const article = page.getByRole("article", { name: "Assistant" });
  await article.filter({ hasText: `word${sent - 1}` }).waitFor();
  await model.close();
});

/** Returns the 95th percentile of the time between frames while the conversation scrolls up. */
function frameTimes(page: Page, step: number): Promise<number> {
  return page.evaluate(async (by) => {
    const element = document.querySelector('[role="log"]') ?? document.body;
    const times: number[] = [];
    let last = performance.now();
    for (let count = 0; count < 200; count++) {
      element.scrollTop -= by;
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times.sort((one, other) => one - other)[190] ?? 0;
  }, step);
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

/** Records a thread: turns of a question, three commands and an answer. */
function writeThread(home: string, cwd: string, items: number): void {
  const lines: string[] = [];
  let time = Date.parse("2026-01-01T00:00:00Z");
  const add = (type: string, payload: object) =>
    lines.push(JSON.stringify({ timestamp: new Date(time++).toISOString(), type, payload }));
  const meta = {
    originator: "t",
    cli_version: "0.166.0",
    source: "vscode",
    model_provider: "mock",
  };
  add("session_meta", { id: threadId, timestamp: new Date(time).toISOString(), cwd, ...meta });
  for (let turn = 0; turn < items / 5; turn++) {
    const turn_id = `01a1ecae-0000-7000-8000-${String(turn).padStart(12, "0")}`;
    add("event_msg", { type: "task_started", turn_id });
    add("event_msg", { type: "user_message", message: `Question ${turn}`, item_id: `u${turn}` });
    for (let at = 0; at < 3; at++) {
      add("event_msg", {
        type: "exec_command_end",
        call_id: `c${turn}-${at}`,
        turn_id,
        command: ["bash", "-lc", `make step-${turn}-${at}`],
        cwd,
        parsed_cmd: [{ type: "unknown", cmd: "make" }],
        stdout: "",
        stderr: "",
        aggregated_output: "a line of output\n".repeat(20),
        exit_code: 0,
        duration: { secs: 0, nanos: 0 },
        formatted_output: "",
        status: "completed",
      });
    }
    const message = `Answer ${turn}\n\n- one\n- **two**\n\n\`\`\`ts\nconst x = ${turn};\n\`\`\``;
    add("event_msg", { type: "agent_message", message, item_id: `m${turn}` });
    add("event_msg", { type: "task_complete", turn_id, last_agent_message: null });
  }
  const folder = join(home, "sessions/2026/01/01");
  mkdirSync(folder, { recursive: true });
  const file = `rollout-2026-01-01T00-00-00-${threadId}.jsonl`;
  writeFileSync(join(folder, file), `${lines.join("\n")}\n`);
}
