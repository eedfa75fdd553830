import {
  FleetClient,
  type FleetProcess,
  FleetProcesses,
} from "../../test/support/fleet-processes.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "../../test/support/nats-server.js";
import { Random } from "../random.js";
import type { Soak } from "../soak.js";
import { CuttableProxy } from "./cuttable-proxy.js";
import { ThreadWatch } from "./thread-watch.js";

/**
 * Lets twenty threads work on three workers while workers are killed, stopped and cut off and the broker is killed: no
 * submission is lost, no command runs twice, and another worker continues in time.
 */
export const fleetSoak: Soak = {
  name: "fleet",
  usualCount: 300,
  async run({ count, seed, progress }) {
    if (!hasNatsServer()) return { problems: [], summary: "SKIPPED: nats-server is not installed" };
    await using nats = await startNatsServer();
    await using fleet = await FleetProcesses.start(answer);
    const run = new FleetRun(nats, fleet, new Random(seed));
    await run.start();
    for (let fault = 0; fault < count; fault++) {
      await run.fault();
      progress(1);
    }
    return await run.finish();
  },
};

const pool = "soak";
const leaseSeconds = 2;
const threadCount = 20;
const workerNames = ["w1", "w2", "w3"];

/** Makes three calls for each message of the user; their ids tell the turn. */
function answer(input: readonly { call_id?: string; content?: unknown }[]) {
  const turns = input.filter((item) => JSON.stringify(item.content)?.includes("work on")).length;
  const known = new Set(input.map(({ call_id }) => call_id));
  const ids = ["a", "b", "c"].map((call) => `${turns}${call}`);
  const next = ids.find((id) => !known.has(id));
  if (next === undefined) return [{ message: `Done with ${turns}.` }];
  const command = `echo ${next} >> ran; sleep 0.3`;
  return [{ call: "shell_command", args: { command }, call_id: next }];
}

interface Worker {
  name: string;
  proxy: CuttableProxy;
  process: FleetProcess;
}

type Fault = "kill" | "stop" | "partition" | "broker" | "broker away";

const faults: readonly Fault[] = [
  "kill",
  "kill",
  "kill",
  "stop",
  "stop",
  "partition",
  "partition",
  "broker",
  "broker away",
];

class FleetRun {
  readonly #nats: NatsServer;
  readonly #fleet: FleetProcesses;
  readonly #random: Random;
  readonly #workers: Worker[] = [];
  readonly #watches: ThreadWatch[] = [];
  readonly #others: ThreadWatch[] = [];
  readonly #clients: FleetClient[] = [];
  readonly #takeoversMs: number[] = [];
  readonly #problems: string[] = [];
  readonly #counts = new Map<Fault, number>();
  #isOver = false;
  #working: Promise<void>[] = [];

  constructor(nats: NatsServer, fleet: FleetProcesses, random: Random) {
    this.#nats = nats;
    this.#fleet = fleet;
    this.#random = random;
  }

  async start(): Promise<void> {
    for (const name of workerNames) {
      const proxy = await CuttableProxy.listen(this.#nats.url);
      this.#workers.push({ name, proxy, process: await this.#startWorker(name, proxy) });
    }
    const [client, other] = [await this.#connect(), await this.#connect()];
    for (let thread = 0; thread < threadCount; thread++) {
      const threadId = await client.startThread();
      const watch = new ThreadWatch(client.broker, threadId);
      this.#watches.push(watch);
      this.#others.push(new ThreadWatch(other.broker, threadId));
      this.#working.push(this.#work(client, watch));
    }
  }

  async #connect(): Promise<FleetClient> {
    const client = await FleetClient.connect(this.#nats.url, this.#fleet, pool);
    this.#clients.push(client);
    return client;
  }

  #startWorker(name: string, proxy: CuttableProxy): Promise<FleetProcess> {
    return this.#fleet.worker(name, { nats: proxy.url, pool, lease: leaseSeconds });
  }

  /** Sends one message after the other. */
  async #work(client: FleetClient, watch: ThreadWatch): Promise<void> {
    while (!this.#isOver) {
      const text = `work on ${watch.submitted.length + 1}`;
      const turn = await client.say(watch.threadId, text);
      watch.submitted.push(turn);
      if (await watch.whenEnded(turn, turnLimitMs)) continue;
      this.#problems.push(`${watch.threadId}: turn ${turn} has not ended in ${turnLimitMs} ms`);
      return;
    }
  }

  async fault(): Promise<void> {
    const fault = faults[this.#random.below(faults.length)] ?? "kill";
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
    if (fault === "broker" || fault === "broker away") await this.#killBroker(fault);
    else await this.#hit(fault);
    await sleep(200 + 800 * this.#random.next());
  }

  async #killBroker(fault: Fault): Promise<void> {
    await this.#nats.kill();
    await sleep(fault === "broker" ? 100 : 1000 * (leaseSeconds + 1));
    await this.#nats.start();
    await sleep(1000);
  }

  /** Takes a worker away, waits until its turns continue elsewhere, and brings it back. */
  async #hit(fault: Fault): Promise<void> {
    const worker = this.#workers[this.#random.below(this.#workers.length)];
    if (worker === undefined) return;
    const { child } = worker.process;
    const owned = this.#watches.flatMap((watch) => {
      const { running } = watch;
      return running?.worker === worker.name ? [{ watch, epoch: running.epoch }] : [];
    });
    const atMs = performance.now();
    if (fault === "kill") child.kill("SIGKILL");
    else if (fault === "stop") child.kill("SIGSTOP");
    else worker.proxy.cut();
    const taken = owned.map(async ({ watch, epoch }) => {
      const newAtMs = await watch.newOwner(epoch, takeoverLimitMs);
      if (newAtMs !== undefined) this.#takeoversMs.push(newAtMs - atMs);
      // A turn that has ended just before the fault needs nobody.
      else if (watch.running?.epoch === epoch) {
        this.#problems.push(`${watch.threadId}: no worker continued after a ${fault}`);
      }
    });
    await sleep(1000 * (leaseSeconds + 1));
    await Promise.all(taken);
    if (fault === "stop") child.kill("SIGCONT");
    else if (fault === "partition") worker.proxy.mend();
    else worker.process = await this.#startWorker(worker.name, worker.proxy);
  }

  async finish(): Promise<{ problems: string[]; summary: string }> {
    this.#isOver = true;
    await Promise.all(this.#working);
    await this.#settle();
    const problems = [...this.#problems];
    for (const [index, watch] of this.#watches.entries()) {
      watch.end();
      this.#others[index]?.end();
      problems.push(...watch.problems(this.#fleet.workspace));
      if (watch.fold !== this.#others[index]?.fold) {
        problems.push(`${watch.threadId}: two readers have different logs`);
      }
    }
    for (const { process } of this.#workers) process.child.kill("SIGTERM");
    for (const { process, name } of this.#workers) {
      const code = await process.exit;
      if (code !== 0) problems.push(`${name} has ended with ${code}: ${process.output()}`);
    }
    for (const { proxy } of this.#workers) proxy.close();
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    return { problems, summary: this.#summary() };
  }

  /** Waits until both readers have read everything. */
  async #settle(): Promise<void> {
    const isEqual = () => this.#watches.every(({ fold }, n) => fold === this.#others[n]?.fold);
    for (let tries = 0; tries < 50 && !isEqual(); tries++) await sleep(100);
  }

  #summary(): string {
    const times = this.#takeoversMs.toSorted((a, b) => a - b);
    const limitMs = 1000 * (leaseSeconds + 1);
    const inTime = times.filter((ms) => ms <= limitMs).length;
    const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
    const turns = this.#watches.reduce((sum, { submitted }) => sum + submitted.length, 0);
    const commands = this.#watches.reduce((sum, watch) => sum + watch.commands, 0);
    const kinds = [...this.#counts].map(([fault, count]) => `${count} ${fault}`).join(", ");
    return (
      `${kinds}; ${turns} turns answered, ${commands} commands completed once; ` +
      `${times.length} takeovers, ${inTime} within ${limitMs} ms (median ${at(0.5)}, 95 of 100 ${at(0.95)}, longest ${at(1)} ms)`
    );
  }
}

const turnLimitMs = 120_000;
const takeoverLimitMs = 30_000;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
