import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test as anyTest, expect } from "vitest";
import { quireCommand } from "../../support/bin.js";
import { closeBrowserAtEnd, hasBrowser } from "../support/browser.js";
import { listenLiveModel } from "../support/live-model.js";
import { send, startWeb } from "../support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

test("an unused page costs little over the app-server, and no time at start", async () => {
  const rounds: { web: Started; server: Started }[] = [];
  for (let round = 0; round < 3; round++) {
    const server = await startAndMeasure(["app-server", "--listen", "ws://127.0.0.1:0"]);
    rounds.push({ server, web: await startAndMeasure(["web"]) });
  }
  const extra = median(rounds.map(({ web, server }) => web.megabytes - server.megabytes));
  const later = median(rounds.map(({ web, server }) => web.ms - server.ms));

  console.info(`quire web over app-server: ${extra.toFixed(1)} MB, ${later.toFixed(0)} ms`);
  expect(extra).toBeLessThan(5);
  expect(later).toBeLessThan(150); // on a busy machine
});

test("a delta is on the screen soon after it has arrived", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  await watchDeltas(page);
  await page.reload();
  await send(page, "Stream");
  const answer = await model.nextAnswer();
  const assistant = page.getByRole("article", { name: "Assistant" });
  for (let at = 0; at < 40; at++) {
    answer.say(`mark${at}. `);
    await assistant.filter({ hasText: `mark${at}.` }).waitFor();
  }
  answer.finish();
  const delays = (await page.evaluate(() => (window as never as Watched).delays)).sort(
    (one, other) => one - other,
  );

  const [middle, most] = [delays[20] ?? 999, delays[37] ?? 999];
  console.info(`wire to screen: median ${middle.toFixed(0)} ms, p95 ${most.toFixed(0)} ms`);
  expect(delays.length).toBe(40);
  expect(middle).toBeLessThan(50);
  await model.close();
});

test("a thousand deltas a second drop no frames worth naming", async () => {
  const model = await listenLiveModel();
  const server = await startWeb({ model });
  const page = await server.openPage();
  const base = await frames(page);
  await send(page, "Stream");
  const answer = await model.nextAnswer();
  let sent = 0;
  const timer = setInterval(() => {
    for (let count = 0; count < 10; count++) {
      sent++;
      answer.say(sent % 12 === 0 ? `word${sent}.\n\n` : `word${sent} `);
    }
  }, 10);
  await page.getByRole("article", { name: "Assistant" }).waitFor();
  const streaming = await frames(page);
  clearInterval(timer);
  answer.finish();

  console.info(
    `frames in 2.5 s: ${streaming.count} of ${base.count} without a stream; ` +
      `p95 ${streaming.p95.toFixed(0)} ms, longest ${streaming.longest.toFixed(0)} ms; ${sent} deltas`,
  );
  expect(streaming.p95).toBeLessThan(Math.max(50, 3 * base.p95));
  await model.close();
});

interface Started {
  ms: number;
  megabytes: number;
}

/** Starts a server without clients; returns the time until it listens, and its memory after a while. */
async function startAndMeasure(args: string[]): Promise<Started> {
  const home = mkdtempSync(join(tmpdir(), "quire-figures-"));
  const env = { PATH: process.env.PATH ?? "", HOME: home, CODEX_HOME: home };
  const started = performance.now();
  const child = spawn(...quireCommand(args), { cwd: home, env });
  await listening(child);
  const ms = performance.now() - started;
  await new Promise((done) => setTimeout(done, 700)); // what is deferred has run by then
  const megabytes = memoryOf(child.pid ?? 0);
  child.kill();
  await once(child, "exit");
  await rm(home, { recursive: true, force: true });
  return { ms, megabytes };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    let output = "";
    const read = (data: unknown) => {
      output += data;
      if (/(?:ws|http):\/\/127\.0\.0\.1:\d+/.test(output)) done();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => failed(new Error(`It ended first: ${output}`)));
  });
}

/** Memory of a process and its share of what it has in common with others. */
function memoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1024;
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

interface Watched {
  delays: number[];
}

/** Notes the time from the arrival of each marked delta to the frame that shows it. */
async function watchDeltas(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as never as Watched;
    watched.delays = [];
    const waiting = new Map<string, number>();
    const Original = window.WebSocket;
    window.WebSocket = class extends Original {
      constructor(...args: ConstructorParameters<typeof Original>) {
        super(...args);
        this.addEventListener("message", ({ data }) => {
          const [mark] = /mark\d+\./.exec(String(data)) ?? [];
          if (String(data).includes("agentMessage/delta") && mark !== undefined) {
            waiting.set(mark, performance.now());
          }
        });
      }
    };
    const look = () => {
      const text = document.querySelector('[aria-label="Assistant"]')?.textContent ?? "";
      for (const [mark, arrived] of waiting) {
        if (!text.includes(mark)) continue;
        waiting.delete(mark);
        watched.delays.push(performance.now() - arrived);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Measures the frames of some seconds. */
function frames(page: Page): Promise<{ count: number; p95: number; longest: number }> {
  return page.evaluate(async () => {
    const times: number[] = [];
    const end = performance.now() + 2500;
    let last = performance.now();
    while (last < end) {
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - last);
      last = performance.now();
    }
    times.sort((one, other) => one - other);
    const count = times.length;
    return { count, p95: times[Math.floor(count * 0.95)] ?? 0, longest: times.at(-1) ?? 0 };
  });
}
