import { expect, test } from "vitest";
import { opened, readyApp, type TestAppOptions } from "../test-app.js";

const other = "0199a213-81c0-7800-8aa1-bbab2a035a54";
const answerOther = { ...opened, thread: { id: other, turns: [] } };

async function run(line: string, options?: TestAppOptions) {
  const app = await readyApp(options);
  const submit = (text: string) => {
    app.type(text.includes(" ") ? text : `${text} `);
    app.keys("enter");
  };
  submit(line);
  return Object.assign(app, { submit });
}

const usage = {
  last: { totalTokens: 60_000 },
  total: { totalTokens: 60_000 },
  modelContextWindow: 100_000,
};

test("the context of a resumed thread is shown at once", async () => {
  await using app = await run(`/resume ${other}`, {
    answers: {
      // Servers send it behind the response, often in the same piece of the stream.
      "thread/resume": () => {
        const params = { threadId: other, turnId: "t", tokenUsage: usage };
        setImmediate(() => app.server.notify("thread/tokenUsage/updated", params));
        return new Promise((resolve) => setImmediate(() => resolve(answerOther)));
      },
    },
  });

  await app.until(/\d+% left/);
});

test("a chosen model and permissions stay chosen in a fork and a new session", async () => {
  const answers = {
    "thread/fork": answerOther,
    "thread/start": () => structuredClone(opened),
    "model/list": { data: [] },
  };
  await using app = await run("/permissions", { answers });
  await app.until("What is allowed without approval?");
  app.keys("1");
  await app.until("read-only, on-request");
  app.submit("/model gpt-9");
  await app.until("Model: gpt-9");
  const chosen = { model: "gpt-9", sandboxPolicy: { type: "readOnly" } };

  app.submit("/fork");
  await app.until("forked");
  app.submit("hello fork");
  const [inFork] = await app.server.untilSent("turn/start");
  expect(inFork).toMatchObject({ threadId: other, ...chosen });
  app.server.notify("turn/completed", {
    threadId: other,
    turn: { id: "turn-1", status: "completed", items: [] },
  });
  await app.until("Describe a task");

  app.submit("/new");
  await app.until(/forked[\s\S]*Quire\n[\s\S]*Describe a task/);
  app.submit("hello again");
  const [, inNew] = await app.server.untilSent("turn/start", 2);
  expect(inNew).toMatchObject({ threadId: opened.thread.id, ...chosen });
});

test("a side chat and the way back keep the settings of the next turn", async () => {
  const answers = {
    "thread/fork": answerOther,
    "model/list": { data: [{ id: "gpt-9", model: "gpt-9", displayName: "GPT-9" }] },
  };
  await using app = await run("hello you", { answers });
  app.server.notify("turn/completed", {
    turn: { id: "turn-1", status: "completed", items: [] },
  });
  await app.until("Describe a task");
  app.submit("/model gpt-9");
  await app.until("Model: gpt-9");
  app.submit("/side");
  await app.until("It knows the session");
  app.submit("/side");
  await app.until("Back in the session");

  app.submit("go on");
  const [, after] = await app.server.untilSent("turn/start", 2);
  expect(after).toMatchObject({ threadId: opened.thread.id, model: "gpt-9" });
});

test("a model that is not listed is used, with a warning", async () => {
  const answers = {
    "model/list": { data: [{ id: "gpt-9", model: "gpt-9", displayName: "GPT-9" }] },
  };
  await using app = await run("/model gtp-9", { answers });

  await app.until("gtp-9 is not among the listed models");
  await app.until("Did you mean gpt-9? /model lists all");
});
