import { expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import { CurrentTask, type RunningTask } from "../../src/engine/current-task.js";
import { SessionEvents } from "../../src/engine/session-events.js";
import type { Event, EventMsg, RolloutItem } from "../../src/protocol/types.js";

/** Events of a session; log and queue share one list to show their order. */
function startEvents(era = "current") {
  const order: ({ logged: RolloutItem } | { published: Event })[] = [];
  const current = new CurrentTask();
  const events = new SessionEvents(
    {
      id: "thread",
      era: eraOf(era),
      log: {
        path: undefined,
        append: (item) => order.push({ logged: item }),
        close: async () => {},
      },
      queues: {
        submissions: (async function* () {})(),
        publish: (event) => order.push({ published: event }),
        end() {},
      },
    },
    current,
  );
  const published = () => order.flatMap((one) => ("published" in one ? [one.published] : []));
  const logged = () => order.flatMap((one) => ("logged" in one ? [one.logged.payload] : []));
  return { events, current, order, published, logged };
}

function running(id: string, openResponseId?: string): RunningTask {
  return { id, turnId: `turn-${id}`, openResponseId } as RunningTask;
}

const message: EventMsg = { type: "agent_message", message: "hi" };

test("a persisted event is logged before it is published", () => {
  const { events, order } = startEvents();

  events.emit("s1", message);

  expect(order.map((one) => Object.keys(one)[0])).toEqual(["logged", "published"]);
});

test("a delta is published only", () => {
  const { events, order } = startEvents();

  events.emit("s1", { type: "agent_message_delta", delta: "h" });

  expect(order.map((one) => Object.keys(one)[0])).toEqual(["published"]);
});

test("an event has its thread, and its turn if it belongs to the running task", () => {
  const { events, current, published } = startEvents();
  current.begin(running("s1"));

  events.emit("s1", message, "item", 2);
  events.emit("s2", message);

  expect(published()).toEqual([
    { id: "s1", msg: message, thread_id: "thread", turn_id: "turn-s1", item_id: "item", part: 2 },
    { id: "s2", msg: message, thread_id: "thread" },
  ]);
});

test("an answer leaves no trace in the log", () => {
  const { events, order } = startEvents();

  events.answer("s1", { type: "turn_aborted", reason: "interrupted" });

  expect(order.map((one) => Object.keys(one)[0])).toEqual(["published"]);
});

test("an event of an ended turn is logged with the id of that turn", () => {
  const { events, logged, published } = startEvents();

  events.emitIn({ id: "s1", turn_id: "old", item_id: "c1" }, message);

  expect(logged()).toMatchObject([{ ...message, turn_id: "old" }]);
  expect(published()).toEqual([
    { id: "s1", turn_id: "old", item_id: "c1", msg: message, thread_id: "thread" },
  ]);
});

test("events before the announcement are held back and keep their order", () => {
  const { events, published } = startEvents();
  events.emitOnceAnnounced("", { type: "warning", message: "one" });
  events.emitOnceAnnounced("", { type: "warning", message: "two" });
  expect(published()).toEqual([]);

  events.announce();
  events.emitOnceAnnounced("", { type: "warning", message: "three" });

  expect(published().map(({ msg }) => (msg.type === "warning" ? msg.message : ""))).toEqual([
    "one",
    "two",
    "three",
  ]);
});

test("the same warning is emitted once, under the id of the running task", () => {
  const { events, current, published } = startEvents();
  current.begin(running("s1"));

  events.warn("careful");
  events.warn("careful");

  expect(published().map(({ id }) => id)).toEqual(["s1"]);
});

test("the token count of a step is logged with the response that ended it", () => {
  const { events, current, logged } = startEvents();
  current.begin(running("s1", "resp_1"));

  events.emit("s1", { type: "token_count", info: null, rate_limits: null } as never);

  expect(logged()).toMatchObject([{ type: "token_count", response_id: "resp_1" }]);
});
