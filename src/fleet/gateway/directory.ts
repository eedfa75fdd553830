import {
  factsOf,
  type ListOptions,
  listSummaries,
  type ThreadPage,
  type ThreadSummary,
} from "../../rollout/index.js";
import type { Broker, DirectoryEntry } from "../broker.js";
import { untilReached } from "../until-reached.js";
import type { ThreadMarks } from "./thread-marks.js";

/** Lists the threads of a fleet, from the broker's directory. */
export class ThreadDirectory {
  readonly #broker: Broker;
  /** Facts of the threads that were listed before; the head of a thread never changes. */
  readonly #facts = new Map<string, ReturnType<typeof factsOf>>();

  readonly #marks: ThreadMarks;

  constructor(broker: Broker, marks: ThreadMarks) {
    this.#broker = broker;
    this.#marks = marks;
  }

  async list(options: ListOptions): Promise<ThreadPage> {
    const entries = await untilReached(() => this.#broker.directory.list());
    const kind = options.archived ? "archived" : undefined;
    const wanted = entries.filter(({ threadId }) => this.#marks.kindOf(threadId) === kind);
    return listSummaries(
      wanted.flatMap((entry) => this.#summaryOf(entry) ?? []),
      options,
    );
  }

  #summaryOf(entry: DirectoryEntry): ThreadSummary | undefined {
    const { threadId, head, updatedAtMs, name, state } = entry;
    const facts = this.#facts.get(threadId) ?? factsOf(head);
    if (facts === undefined) return undefined; // there is no message yet
    this.#facts.set(threadId, facts);
    const status = statuses[state];
    return { ...facts, path: "", updatedAtMs, name, ...(status === undefined ? {} : { status }) };
  }
}

const statuses: Record<DirectoryEntry["state"], ThreadSummary["status"]> = {
  running: { type: "active", activeFlags: [] },
  waiting: { type: "active", activeFlags: ["waitingOnApproval"] },
  idle: { type: "idle" },
};
