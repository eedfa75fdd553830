import type { Broker } from "../../src/fleet/index.js";
import { errorText } from "../../src/lib/errors.js";
import {
  FleetClient,
  type FleetProcess,
  FleetProcesses,
} from "../../test/support/fleet-processes.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "../../test/support/nats-server.js";
import { Random } from "../random.js";
import type { Soak } from "../soak.js";
import { CuttableProxy } from "./cuttable-proxy.js";
import { Diagnosis } from "./diagnosis.js";
import { GatewayClient } from "./gateway-client.js";
import { ThreadWatch } from "./thread-watch.js";

/**
 * Lets twenty threads work on three workers for clients of two gateways, while workers are killed, stopped and cut off and
 * gateways and the broker are killed: no message is lost, no command runs twice, another worker continues in time, and both
 * gateways report the same.
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
    // Awaited: broker and processes end with this block.
    return await run.finish();
  },
};

const pool = "soak";
const leaseSeconds = 2;
const threadCount = 20;
const turnsOfThread = 10;
const workerNames = ["w1", "w2", "w3"];
const gatewayNames = ["g1", "g2"];

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

interface Gateway {
  name: string;
  url: string;
  process: FleetProcess;
}

type Fault = "kill" | "stop" | "partition" | "broker" | "broker away" | "gateway";

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
  "gateway",
];

class FleetRun {
  readonly #nats: NatsServer;
  readonly #fleet: FleetProcesses;
  readonly #random: Random;
  readonly #workers: Worker[] = [];
  readonly #gateways: Gateway[] = [];
  /** Threads that are at work. */
  readonly #watches = new Set<ThreadWatch>();
  readonly #diagnosis: Diagnosis;
  readonly #done = { threads: 0, turns: 0, commands: 0 };
  #reader: FleetClient | undefined;
  readonly #takeoversMs: number[] = [];
  readonly #problems: string[] = [];
  readonly #counts = new Map<Fault, number>();
  #isOver = false;
  #working: Promise<void>[] = [];

  constructor(nats: NatsServer, fleet: FleetProcesses, random: Random) {
    this.#nats = nats;
    this.#fleet = fleet;
    this.#random = random;
    this.#diagnosis = new Diagnosis(nats, fleet);
  }

  async start(): Promise<void> {
    for (const name of workerNames) {
      const proxy = await CuttableProxy.listen(this.#nats.url);
      this.#workers.push({ name, proxy, process: await this.#startWorker(name, proxy) });
    }
    for (const name of gatewayNames) {
      const { process, url } = await this.#startGateway(name, "ws://127.0.0.1:0");
      this.#gateways.push({ name, url, process });
    }
    this.#reader = await FleetClient.connect(this.#nats.url, this.#fleet, pool);
    const { broker } = this.#reader;
    this.#working = Array.from({ length: threadCount }, async () => {
      while (!this.#isOver) await this.#runThread(broker);
    });
  }

  /** Starts a thread, sends it some messages, and checks it. */
  async #runThread(broker: Broker): Promise<void> {
    const client = new GatewayClient(() => this.#gateways.map(({ url }) => url));
    const threadId = await this.#startThread(client);
    if (threadId === undefined) return;
    const watch = new ThreadWatch(broker, threadId);
    this.#watches.add(watch);
    const found: string[] = [];
    try {
      await this.#work(client, watch);
      await watch.reaches(client.lastSeq, takeoverLimitMs);
      found.push(...watch.problems());
      if (watch.submitted.length > 0) found.push(...(await this.#compare(threadId, client)));
    } catch (error) {
      found.push(errorText(error));
    }
    this.#watches.delete(watch);
    watch.end();
    client.disconnect();
    this.#done.threads++;
    this.#done.turns += watch.submitted.length;
    this.#done.commands += watch.commands;
    if (found.length === 0) return;
    this.#problems.push(...found.map((problem) => `${threadId}: ${problem}`));
    this.#diagnosis.addThread(watch, client);
  }

  async #startThread(client: GatewayClient): Promise<string | undefined> {
    try {
      return await startThread(client, this.#fleet.newFolder());
    } catch (error) {
      this.#problems.push(errorText(error));
      client.disconnect();
      return undefined;
    }
  }

  async #startGateway(name: string, address: string) {
    const args = ["gateway", "--nats", this.#nats.url, "--pool", pool, "--listen", address];
    const process = await this.#fleet.spawn(name, [...args, "--name", name], "listening on");
    const url = /ws:\/\/[\w.:]+/.exec(process.output())?.[0] ?? address;
    return { process, url };
  }

  #startWorker(name: string, proxy: CuttableProxy): Promise<FleetProcess> {
    return this.#fleet.worker(name, { nats: proxy.url, pool, lease: leaseSeconds });
  }

  /** Sends one message after the other. */
  async #work(client: GatewayClient, watch: ThreadWatch): Promise<void> {
    while (!this.#isOver && watch.submitted.length < turnsOfThread) {
      const text = `work on ${watch.submitted.length + 1}`;
      const turn = await client.startTurn(watch.threadId, text);
      watch.submitted.push(turn);
      if (await client.whenEnded(turn, turnLimitMs)) continue;
      throw new Error(`turn ${turn} has not ended in ${turnLimitMs} ms`);
    }
  }

  async fault(): Promise<void> {
    const fault = faults[this.#random.below(faults.length)] ?? "kill";
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
    if (fault === "broker" || fault === "broker away") await this.#killBroker(fault);
    else if (fault === "gateway") await this.#killGateway();
    else await this.#hit(fault);
    await sleep(200 + 800 * this.#random.next());
  }

  async #killBroker(fault: Fault): Promise<void> {
    await this.#nats.kill();
    await sleep(fault === "broker" ? 100 : 1000 * (leaseSeconds + 1));
    await this.#nats.start();
    await sleep(1000);
  }

  async #killGateway(): Promise<void> {
    const gateway = this.#gateways[this.#random.below(this.#gateways.length)];
    if (gateway === undefined) return;
    gateway.process.child.kill("SIGKILL");
    await gateway.process.exit;
    await sleep(500);
    gateway.process = (await this.#startGateway(gateway.name, gateway.url)).process;
  }

  /** Takes a worker away, waits until its turns continue elsewhere, and brings it back. */
  async #hit(fault: Fault): Promise<void> {
    const worker = this.#workers[this.#random.below(this.#workers.length)];
    if (worker === undefined) return;
    const { child } = worker.process;
    const owned = [...this.#watches].flatMap((watch) => {
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
        this.#diagnosis.addThread(watch);
      }
    });
    if (fault !== "kill") await sleep(1000 * leaseSeconds + 500);
    await Promise.all(taken);
    if (fault === "stop") child.kill("SIGCONT");
    else if (fault === "partition") worker.proxy.mend();
    else worker.process = await this.#startWorker(worker.name, worker.proxy);
  }

  async finish(): Promise<{ problems: string[]; summary: string }> {
    this.#isOver = true;
    await Promise.all(this.#working);
    const problems = [...this.#problems, ...this.#lateTakeovers()];
    for (const { process } of this.#workers) process.child.kill("SIGTERM");
    for (const { process, name } of this.#workers) {
      const code = await process.exit;
      if (code !== 0) problems.push(`${name} has ended with ${code}: ${process.output()}`);
    }
    for (const { proxy } of this.#workers) proxy.close();
    await this.#reader?.[Symbol.asyncDispose]();
    if (problems.length === 0) return { problems, summary: this.#summary() };
    return { problems, summary: `${this.#summary()}; see ${this.#diagnosis.save(problems)}` };
  }

  /** 95 of 100 takeovers must be in time; a few are not enough to tell. */
  #lateTakeovers(): string[] {
    const late = this.#takeoversMs.filter((ms) => ms > takeoverAimMs).length;
    const total = this.#takeoversMs.length;
    if (total < 100 || late <= total * 0.05) return [];
    return [`${late} of ${total} takeovers took longer than ${takeoverAimMs} ms`];
  }

  /** Compares what both gateways report of a thread with each other, and with what its client was told. */
  async #compare(threadId: string, client: GatewayClient): Promise<string[]> {
    const reads: string[] = [];
    for (const { name, url } of this.#gateways) {
      const reader = new GatewayClient(() => [url]);
      const read = await reader.call("thread/read", { threadId, includeTurns: true });
      const after = client.numbered[0]?.seq ?? 0;
      await reader.call("thread/resume", { threadId, after: after - 1, excludeTurns: true });
      const isComplete = () => reader.lastSeq >= client.lastSeq;
      for (let tries = 0; tries < 100 && !isComplete(); tries++) await sleep(50);
      reader.disconnect();
      const told = reader.numbered.filter(({ seq }) => seq <= client.lastSeq);
      const difference = firstDifference(told, client.numbered);
      if (difference !== undefined) reads.push(`${name} replays ${difference}`);
      reads.push(JSON.stringify(read));
    }
    const problems = reads.filter((text) => !text.startsWith("{"));
    const [one, two] = reads.filter((text) => text.startsWith("{"));
    if (one !== two) problems.push("the gateways read different threads");
    return problems;
  }

  #summary(): string {
    const times = this.#takeoversMs.toSorted((a, b) => a - b);
    const inTime = times.filter((ms) => ms <= takeoverAimMs).length;
    const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
    const { threads, turns, commands } = this.#done;
    const kinds = [...this.#counts].map(([fault, count]) => `${count} ${fault}`).join(", ");
    return (
      `${kinds}; ${threads} threads, equal at both gateways, no old epoch after a newer one; ` +
      `${turns} turns answered, ${commands} commands completed once; ` +
      `${times.length} takeovers, ${inTime} within ${takeoverAimMs} ms (median ${at(0.5)}, 95 of 100 ${at(0.95)}, longest ${at(1)} ms)`
    );
  }
}

async function startThread(client: GatewayClient, cwd: string): Promise<string> {
  const started = await client.call("thread/start", { cwd });
  const { id } = (started as unknown as { thread: { id: string } }).thread;
  client.threads.add(id);
  return id;
}

/** Returns the first difference of two lists, as text. */
function firstDifference(a: readonly unknown[], b: readonly unknown[]): string | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [one, two] = [JSON.stringify(a[index]), JSON.stringify(b[index])];
    if (one !== two) return `${one?.slice(0, 300)} for ${two?.slice(0, 300)}`;
  }
  return undefined;
}

const turnLimitMs = 120_000;
const takeoverLimitMs = 30_000;
const takeoverAimMs = 1000 * (leaseSeconds + 1);

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
