import { describe, expect, test, vi } from "vitest";
import { CurrentTask, PendingInput, type RunningTask } from "../../src/engine/current-task.js";
import { createDeferred } from "../../src/lib/async.js";

function fakeTask(overrides: Partial<RunningTask> = {}): RunningTask {
  return {
    id: "s1",
    turnId: "t1",
    signal: new AbortController().signal,
    settled: Promise.resolve(),
    interruptReason: "interrupted",
    openResponseId: undefined,
    failure: undefined,
    isCalling: false,
    countCall: (run) => run(),
    files: async () => undefined,
    emit() {},
    abort() {},
    ...overrides,
  };
}

describe("CurrentTask", () => {
  test("runs an action at once if it is idle", () => {
    const action = vi.fn();

    new CurrentTask().whenIdle(action);

    expect(action).toHaveBeenCalledOnce();
  });

  test("runs only the last of several pending actions, when the task ends", () => {
    const current = new CurrentTask();
    const [first, last] = [vi.fn(), vi.fn()];
    current.begin(fakeTask());
    current.whenIdle(first);
    current.whenIdle(last);
    expect(last).not.toHaveBeenCalled();

    current.end();
    current.end();

    expect(first).not.toHaveBeenCalled();
    expect(last).toHaveBeenCalledOnce();
  });

  test("starts queued input in order, one at a time, and only if no task runs", () => {
    const current = new CurrentTask();
    const started: string[] = [];
    const queued = (id: string) => ({
      id,
      start() {
        started.push(id);
        current.begin(fakeTask({ id }));
      },
    });
    current.begin(fakeTask());
    current.queue(queued("a"));
    current.queue(queued("b"));
    current.startNext();
    expect(started).toEqual([]);

    current.end();
    current.startNext();
    current.startNext();

    expect(started).toEqual(["a"]);
    expect(current.takeQueued().map(({ id }) => id)).toEqual(["b"]);
    expect(current.takeQueued()).toEqual([]);
  });

  test("close aborts the task, forgets the queue and waits until the task has settled", async () => {
    const current = new CurrentTask();
    const settled = createDeferred<void>();
    const abort = vi.fn();
    current.begin(fakeTask({ settled: settled.promise, abort }));
    const start = vi.fn();
    current.queue({ id: "q", start });
    let isClosed = false;

    const closing = current.close().then(() => {
      isClosed = true;
    });
    await Promise.resolve();
    expect(abort).toHaveBeenCalledWith("interrupted");
    expect(isClosed).toBe(false);
    settled.resolve();
    await closing;
    current.end();
    current.startNext();

    expect(start).not.toHaveBeenCalled();
  });

  test("aborting without a task does nothing", () => {
    expect(() => new CurrentTask().abort("interrupted")).not.toThrow();
  });
});

describe("PendingInput", () => {
  test("returns each input once, as it was added", () => {
    const pending = new PendingInput();
    pending.add([{ type: "text", text: "a" }]);
    pending.add([{ type: "text", text: "b" }]);
    expect(pending.isEmpty).toBe(false);

    const [a, b] = ["a", "b"].map((text) => ({ items: [{ type: "text", text }], from: "user" }));
    expect(pending.take()).toEqual([a, b]);
    expect(pending.take()).toEqual([]);
    expect(pending.isEmpty).toBe(true);
  });

  test("an item alone does not cause a step", () => {
    const pending = new PendingInput();
    const item = { type: "message", role: "user", content: [] } as const;
    pending.addItem(item as never);

    expect(pending.isEmpty).toBe(true);
    expect(pending.takeItems()).toEqual([item]);
    expect(pending.takeItems()).toEqual([]);
  });
});
