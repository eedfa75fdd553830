import type { Session } from "../../../src/engine/session.js";
import type { EventMsg } from "../../../src/protocol/types.js";

/** Settings of a session that runs nothing; a test changes them as it goes. */
export interface FakeSession {
  session: Session;
  state: {
    now: number;
    tokens: { spent: number };
    task: { id: string; turnId: string } | undefined;
    path: string | undefined;
  };
  emitted: { id: string; msg: EventMsg }[];
  /** Items for the model. */
  added: unknown[];
}

/** Creates a session with a clock and a token count that only the test moves. */
export function createFakeSession(): FakeSession {
  const emitted: FakeSession["emitted"] = [];
  const added: unknown[] = [];
  const state: FakeSession["state"] = {
    now: 1_000_000,
    tokens: { spent: 0 },
    task: undefined,
    path: "/rollout.jsonl",
  };
  const session = {
    id: "t",
    tokens: state.tokens,
    get task() {
      return state.task;
    },
    parts: {
      clock: { now: () => state.now },
      log: {
        get path() {
          return state.path;
        },
      },
    },
    pending: { addItem: (item: unknown) => added.push(item) },
    emit: (id: string, msg: EventMsg) => emitted.push({ id, msg }),
  };
  return { session: session as unknown as Session, state, emitted, added };
}
