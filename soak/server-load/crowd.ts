import type { Random } from "../random.js";
import { LoadClient } from "./load-client.js";

/** A thread with the client that drives it and another that only listens. */
interface Stage {
  threadId: string;
  owner: LoadClient;
  witness: LoadClient;
  isBusy: boolean;
  /** Number of further turns after which the thread is replaced. */
  turnsLeft: number;
}

/** A conversation is held in memory, so an endless one would look like a leak. */
const turnsOfThread = 25;

/** Many clients at once, some of which vanish; records the failures of the others. */
export class Crowd {
  readonly problems: string[] = [];
  readonly #url: string;
  readonly #random: Random;
  readonly #expected: string;
  #clients: LoadClient[] = [];
  #stages: Stage[] = [];
  #turns = 0;
  #putAway = 0;
  #vanished = 0;

  constructor(url: string, random: Random, expected: string) {
    this.#url = url;
    this.#random = random;
    this.#expected = expected;
  }

  get summary(): string {
    return `${this.#clients.length} connections, ${this.#stages.length} threads, ${this.#turns} turns received completely, ${this.#putAway} threads put away for others, ${this.#vanished} clients vanished`;
  }

  async gather({ connections, threads }: { connections: number; threads: number }): Promise<void> {
    this.#clients = Array.from({ length: connections }, () => new LoadClient(this.#url));
    await inBatches(this.#clients, 100, (client) => client.connect());
    const stages = Array.from({ length: threads }, (_, n) => n);
    await inBatches(stages, 20, async (n) => {
      const [owner, witness] = [this.#clients[2 * n], this.#clients[2 * n + 1]];
      if (owner === undefined || witness === undefined) return;
      const stage = { threadId: "", owner, witness, isBusy: false, turnsLeft: 0 };
      await this.#beginThread(stage);
      // Spread the replacements, so that not all threads end at the same moment.
      stage.turnsLeft = 1 + this.#random.below(turnsOfThread);
      this.#stages.push(stage);
    });
  }

  /** Keeps this many turns running until it is stopped. */
  async work({ inFlight, until }: { inFlight: number; until: () => boolean }): Promise<void> {
    const lane = async () => {
      while (!until()) {
        const stage = this.#idleStage();
        stage.isBusy = true;
        await this.#play(stage).catch((error: unknown) => this.problems.push(String(error)));
        stage.isBusy = false;
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
  }

  /**
   * Disconnects all clients; unloads the threads first, since a server retains recently used ones for a
   * while.
   */
  async leave(): Promise<void> {
    await inBatches(this.#stages, 20, async ({ threadId, owner }) => {
      await owner.request("thread/archive", { threadId });
    });
    await inBatches(this.#clients, 100, (client) => client.close());
  }

  async #play(stage: Stage): Promise<void> {
    await this.#turn(stage, true);
    if (--stage.turnsLeft > 0) return;
    await stage.owner.request("thread/archive", { threadId: stage.threadId });
    this.#putAway++;
    await this.#beginThread(stage);
  }

  async #beginThread(stage: Stage): Promise<void> {
    const { owner, witness } = stage;
    const started = (await owner.request("thread/start", {})) as { thread: { id: string } };
    stage.threadId = started.thread.id;
    stage.turnsLeft = turnsOfThread;
    await this.#turn(stage, false); // a thread can be joined once it has something to say
    await witness.request("thread/resume", { threadId: stage.threadId });
  }

  async #turn({ threadId, owner, witness }: Stage, isWitnessed: boolean): Promise<void> {
    const listener = isWitnessed ? witness : owner;
    const completed = listener.nextTurn(threadId);
    const input = [{ type: "text", text: "Say something." }];
    await owner.request("turn/start", { threadId, input });
    const chance = isWitnessed ? this.#random.below(20) : -1;
    if (chance === 0) await this.#replace(owner, threadId);
    if (chance === 1) await this.#replaceSomebody();
    if (chance === 2) await owner.request("command/exec", { command: ["true"] });
    const { text, status } = await completed;
    this.#turns++;
    if (text === this.#expected && status === "completed") return;
    this.problems.push(`${threadId} ended ${status} with ${text.length} characters received`);
  }

  /** A client crashes in the middle of its turn and comes back. */
  async #replace(owner: LoadClient, threadId: string): Promise<void> {
    owner.vanish();
    this.#vanished++;
    await owner.connect();
    await owner.request("thread/resume", { threadId });
  }

  /** A client without listeners crashes. */
  async #replaceSomebody(): Promise<void> {
    const free = this.#clients.slice(2 * this.#stages.length);
    const client = free[this.#random.below(free.length)];
    client?.vanish();
    this.#vanished++;
    await client?.connect();
  }

  #idleStage(): Stage {
    const idle = this.#stages.filter(({ isBusy }) => !isBusy);
    const stage = idle[this.#random.below(idle.length)];
    if (stage === undefined) throw new Error("more turns than threads");
    return stage;
  }
}

async function inBatches<T>(
  all: readonly T[],
  size: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < all.length; start += size) {
    await Promise.all(all.slice(start, start + size).map(work));
  }
}
