import { expect, test } from "vitest";
import type { Event, Op } from "../../../src/protocol/types.js";
import { startAppServer } from "../../support/app-server.js";

const say = (text: string): Op => ({ type: "user_input", items: [{ type: "text", text }] });

/** Listens to a thread and waits for events of a type. */
function listener() {
  const heard: Event[] = [];
  let isEnded = false;
  const waiting: { type: string; resolve(): void }[] = [];
  return {
    heard,
    get isEnded() {
      return isEnded;
    },
    onEvent(event: Event) {
      heard.push(event);
      for (const one of waiting) if (one.type === event.msg.type) one.resolve();
    },
    onEnd() {
      isEnded = true;
    },
    until: (type: string) => new Promise<void>((resolve) => waiting.push({ type, resolve })),
  };
}

test("all listeners receive the same event object", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const thread = await server.server.threads.start({});
  const [first, second] = [listener(), listener()];
  thread.subscribe(first);
  thread.subscribe(second);

  thread.submit(say("hi"));
  await second.until("task_complete");

  expect(first.heard.length).toBeGreaterThan(2);
  expect(first.heard.every((event, index) => event === second.heard[index])).toBe(true);
});

test("the listeners of a thread receive the events of its replacement", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const { threads } = server.server;
  const before = await threads.start({});
  const ear = listener();
  before.subscribe(ear);

  const thread = await threads.start({ resume_path: before.configured.rollout_path });
  thread.submit(say("hi"));
  await ear.until("task_complete");

  expect(thread.id).toBe(before.id);
  expect(threads.get(thread.id)).toBe(thread);
  expect(ear.heard.some(({ msg }) => msg.type === "shutdown_complete")).toBe(false);
  expect(ear.isEnded).toBe(false);
});

test("listeners are notified of the end of a thread, which is then not found", async () => {
  await using server = await startAppServer();
  const { threads } = server.server;
  const thread = await threads.start({});
  const ear = listener();
  thread.subscribe(ear);

  await thread.close();

  expect(ear.heard.map(({ msg }) => msg.type)).toEqual(["shutdown_complete"]);
  expect(ear.isEnded).toBe(true);
  expect(() => threads.get(thread.id)).toThrow(`conversation not found: ${thread.id}`);
  expect(() => thread.submit(say("hi"))).toThrow("has ended");
});

test("a message that joins a turn ends with it", async () => {
  await using server = await startAppServer({
    model: [[{ call: "shell", args: { command: ["sleep", "0.1"] } }], [{ message: "Done." }]],
  });
  const thread = await server.server.threads.start({});
  const ear = listener();
  thread.subscribe(ear);
  thread.submit(say("go"));
  await ear.until("exec_command_begin");

  thread.submit(say("and this"));
  const wasBusy = thread.isBusy;
  await ear.until("task_complete");

  expect([wasBusy, thread.isBusy]).toEqual([true, false]);
});
