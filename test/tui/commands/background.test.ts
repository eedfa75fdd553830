import { expect, test } from "vitest";
import { opened, readyApp } from "../test-app.js";

const { id: threadId } = opened.thread;

const running = {
  itemId: "c1",
  processId: "1000",
  command: "npm run watch",
  cwd: "/project",
  osPid: null,
  cpuPercent: null,
  rssKb: null,
};

async function run(line: string, data: readonly object[]) {
  const app = await readyApp({
    answers: {
      "thread/backgroundTerminals/list": { data, nextCursor: null },
      "thread/backgroundTerminals/clean": {},
      "thread/backgroundTerminals/terminate": ({ processId }: { processId: string }) => ({
        terminated: processId === "1000",
      }),
    },
  });
  app.type(line.includes(" ") ? line : `${line} `);
  app.keys("enter");
  return app;
}

test("/ps lists running commands with their age and folder", async () => {
  const startedAtMs = Date.now() - 125_000;
  await using app = await run("/ps", [{ ...running, startedAtMs }]);

  expect(await app.until("End one with /stop ID, or all with /stop")).toMatch(
    /1000 +npm run watch \(2m 0\ds, \/project\)/,
  );
});

test("/ps and /stop say that nothing is running", async () => {
  await using app = await run("/ps", []);
  await app.until("No commands are running");
  app.type("/stop ");
  app.keys("enter");
  await app.until(/No commands are running[\s\S]*No commands are running/);
});

test("/stop ends all commands, or the one with an id", async () => {
  await using app = await run("/stop", [running]);
  await app.until("Ended the running command");
  expect(await app.server.untilSent("thread/backgroundTerminals/clean")).toEqual([{ threadId }]);
  app.type("/stop 1000");
  app.keys("enter");
  await app.until("Ended command 1000");
  app.type("/stop 7");
  app.keys("enter");
  await app.until("No running command has the id 7");
});

test("/stop with a word is no request", async () => {
  await using app = await run("/stop nonsense", [running]);

  await app.until("No running command has the id nonsense");
  expect(app.server.sent("thread/backgroundTerminals/terminate")).toEqual([]);
});
