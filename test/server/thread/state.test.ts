import { describe, expect, test } from "vitest";
import type { Event, EventMsg, Op } from "../../../src/protocol/types.js";
import { MissedEvents } from "../../../src/server/thread/missed-events.js";
import { PendingRequests, ThreadState } from "../../../src/server/thread/state.js";

const input: Op = { type: "user_input", items: [{ type: "text", text: "hi" }] };

function event(id: string, msg: EventMsg, turn_id?: string): Event {
  return { id, msg, ...(turn_id === undefined ? {} : { turn_id }) };
}

function started(id: string, turnId?: string): Event {
  return event(id, { type: "task_started" } as EventMsg, turnId);
}

function ended(id: string): Event {
  return event(id, { type: "task_complete" } as EventMsg);
}

function aborted(id: string, reason = "replaced"): Event {
  return event(id, { type: "turn_aborted", reason } as EventMsg);
}

const approval: Event = {
  id: "1",
  msg: { type: "exec_approval_request", call_id: "c1", command: ["ls"], cwd: "/" },
};

describe("the running turn", () => {
  test("a submission with input makes the thread busy until its turn ends", () => {
    const state = new ThreadState();

    state.onSubmit(input, "1");
    const queued = [state.isBusy, state.running];
    state.onEvent(started("1", "turn-1"));
    const running = [state.isBusy, state.running];
    state.onEvent(ended("1"));

    expect(queued).toEqual([true, undefined]);
    expect(running).toEqual([true, { id: "turn-1", submissionId: "1" }]);
    expect([state.isBusy, state.running]).toEqual([false, undefined]);
  });

  test("a turn without an id of its own has that of its submission", () => {
    const state = new ThreadState();

    state.onEvent(started("7"));

    expect(state.currentTurnId).toBe("7");
  });

  test.each<[Op, boolean]>([
    [{ type: "compact" }, true],
    [{ type: "review", review_request: { target: { type: "uncommittedChanges" } } } as Op, true],
    [input, true],
    [{ type: "user_input", items: [] }, false],
    [{ type: "interrupt" }, false],
    [{ type: "shutdown" }, false],
  ])("%j makes an idle thread busy: %s", (op, isBusy) => {
    const state = new ThreadState();

    state.onSubmit(op, "1");

    expect(state.isBusy).toBe(isBusy);
  });

  test("an error rejects a queued submission, but does not end a running turn", () => {
    const state = new ThreadState();
    state.onSubmit(input, "1");
    state.onEvent(event("1", { type: "error", message: "no" }));
    const afterReject = state.isBusy;

    state.onEvent(started("2"));
    state.onEvent(event("2", { type: "error", message: "no" }));

    expect(afterReject).toBe(false);
    expect(state.running?.id).toBe("2");
  });

  test("an interrupt of an idle thread does not end the turn of another submission", () => {
    const state = new ThreadState();
    state.onEvent(started("1"));

    state.onEvent(aborted("9"));

    expect(state.running?.id).toBe("1");
  });

  test.each<[string, (state: ThreadState) => void, string]>([
    ["the abort of the turn", (state) => state.onEvent(aborted("1")), "replaced"],
    ["the end of the turn", (state) => state.onEvent(ended("1")), "interrupted"],
    ["the end of the engine", (state) => state.close("t"), "interrupted"],
  ])("%s resolves all that wait for it", async (_, end, reason) => {
    const state = new ThreadState();
    state.onEvent(started("1"));
    const waiting = [state.turnEnd(), state.turnEnd()];

    end(state);

    expect(await Promise.all(waiting)).toEqual([reason, reason]);
  });
});

describe("announced turns", () => {
  test("the last announced turn is the current one until a turn is running", () => {
    const state = new ThreadState();
    state.announce("a");
    state.announce("b");
    const announced = state.currentTurnId;

    state.onEvent(started("b"));

    expect(announced).toBe("b");
    expect(state.currentTurnId).toBe("b");
    expect([state.isAnnounced("a"), state.isAnnounced("b")]).toEqual([true, false]);
  });

  test("an announced turn is withdrawn once", () => {
    const state = new ThreadState();
    state.announce("a");

    expect([state.withdraw("a"), state.withdraw("a")]).toEqual([true, false]);
    expect(state.currentTurnId).toBeUndefined();
  });
});

describe("pending requests", () => {
  test.each<[EventMsg, string]>([
    [approval.msg, "c1"],
    [{ type: "apply_patch_approval_request", call_id: "p1", changes: {} } as EventMsg, "p1"],
    [{ type: "request_user_input", call_id: "u1", questions: [] } as unknown as EventMsg, "u1"],
    [{ type: "request_permissions", call_id: "r1" } as EventMsg, "r1"],
    [{ type: "dynamic_tool_call_request", callId: "d1" } as EventMsg, "d1"],
    [{ type: "elicitation_request", server_name: "s", id: 3 } as unknown as EventMsg, "s 3"],
  ])("%j is pending under the key %s", (msg, key) => {
    const state = new ThreadState();

    state.onEvent(event("1", msg));

    expect(state.requests.signal(key)?.aborted).toBe(false);
  });

  test.each([ended("1"), aborted("1"), aborted("9")])("%j settles all requests", (end) => {
    const state = new ThreadState();
    state.onEvent(started("1"));
    state.onEvent(approval);
    const signal = state.requests.signal("c1");

    state.onEvent(end);

    expect(signal?.aborted).toBe(true);
    expect(state.requests.events).toEqual([]);
  });

  test("when requests are settled by the end of a turn, the thread is no longer busy", () => {
    const state = new ThreadState();
    state.onEvent(started("1"));
    state.onEvent(approval);
    let isBusy: boolean | undefined;
    state.requests.signal("c1")?.addEventListener("abort", () => {
      isBusy = state.isBusy;
    });

    state.onEvent(ended("1"));

    expect(isBusy).toBe(false);
  });

  test("only the first answer settles a request", () => {
    const requests = new PendingRequests();
    requests.add("c1", approval);
    const signal = requests.signal("c1");

    expect([requests.settle("c1"), requests.settle("c1"), requests.settle("c2")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(signal?.aborted).toBe(true);
  });
});

describe("replies", () => {
  test("a reply resolves with the event of its type, whatever comes before", async () => {
    const state = new ThreadState();
    const reply = state.reply("1", "submission_accepted");

    state.onEvent(event("1", { type: "warning", message: "slow" }));
    state.onEvent(event("2", { type: "submission_accepted" } as EventMsg));
    state.onEvent(event("1", { type: "submission_accepted", turn_id: "t" } as EventMsg));

    expect(await reply).toEqual({ type: "submission_accepted", turn_id: "t" });
  });

  test("an error under its id rejects a reply", async () => {
    const state = new ThreadState();
    const reply = state.reply("1", "submission_accepted");

    state.onEvent(event("1", { type: "error", message: "no turn is running" }));

    await expect(reply).rejects.toMatchObject({
      code: "invalid_request",
      message: "no turn is running",
    });
  });

  test("the end of the engine rejects a reply", async () => {
    const state = new ThreadState();
    const reply = state.reply("1", "submission_accepted");

    state.close("t1");

    await expect(reply).rejects.toMatchObject({
      code: "thread_not_found",
      message: "Thread t1 has ended",
    });
  });
});

test("usage is that of the last report, also of a resumed conversation", () => {
  const state = new ThreadState();
  const usageOf = (total: number) => ({ total_token_usage: { total_tokens: total } }) as never;

  state.restore([{ type: "token_count", info: usageOf(1) }]);
  const restored = state.usage;
  state.onEvent(event("1", { type: "token_count", info: usageOf(2) }));
  state.onEvent(event("1", { type: "token_count", info: null }));

  expect([restored, state.usage]).toEqual([usageOf(1), usageOf(2)]);
});

test("missed events are bounded, and deltas are dropped first", () => {
  const missed = new MissedEvents();
  missed.add(approval);

  const delta = "x".repeat(1000);
  for (let count = 0; count < 100_000; count++) {
    missed.add({ id: "0", msg: { type: "agent_message_delta", delta } });
  }
  const kept = missed.take();

  expect(kept[0]).toBe(approval);
  expect(kept.length).toBeLessThan(1100);
  expect(missed.take()).toEqual([]);
});

test("the newest missed events are kept", () => {
  const missed = new MissedEvents();

  for (let count = 0; count < 5000; count++) {
    missed.add({ id: String(count), msg: { type: "warning", message: "x".repeat(1000) } });
  }
  const kept = missed.take();

  expect(kept.length).toBeLessThan(1100);
  expect(kept.at(-1)?.id).toBe("4999");
});
