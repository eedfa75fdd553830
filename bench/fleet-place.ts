import { type Broker, openBroker } from "../src/fleet/index.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "../test/support/nats-server.js";
import { AppServer } from "./against/app-server.js";
import { type CheapModel, listenCheapModel } from "./against/cheap-model.js";
import { makePlace, type Place } from "./against/contest.js";
import { ourSide } from "./against/side.js";
import { LeftOut, type Scope } from "./figure.js";
import { FleetProgram } from "./fleet-program.js";

/** A fleet under measurement: a NATS server, workers, a gateway, and a model that costs next to nothing. */
export class FleetPlace implements AsyncDisposable {
  readonly workers: FleetProgram[] = [];
  readonly place: Place;
  readonly broker: Broker;
  readonly #nats: NatsServer;
  readonly #model: CheapModel;
  readonly #gateways: AppServer[] = [];

  private constructor(nats: NatsServer, broker: Broker, model: CheapModel, place: Place) {
    this.#nats = nats;
    this.broker = broker;
    this.#model = model;
    this.place = place;
  }

  /** Starts a broker and some workers; throws `LeftOut` without a NATS server. */
  static async start(scope: Scope, workers: number): Promise<FleetPlace> {
    if (!hasNatsServer()) throw new LeftOut("nats-server is not installed");
    const nats = await startNatsServer();
    const model = await listenCheapModel(1_000);
    const place = makePlace({ ...scope, model }, ourSide(), "hello");
    const fleet = new FleetPlace(nats, await openBroker(nats.url), model, place);
    for (let n = 1; n <= workers; n++) fleet.workers.push(await fleet.#startWorker(`w${n}`));
    return fleet;
  }

  get brokerPid(): number {
    return this.#nats.process().pid ?? 0;
  }

  /** Starts a gateway for one client, over stdio. */
  async connect(): Promise<AppServer> {
    const args = ["gateway", "--nats", this.#nats.url, "--pool", pool, "--listen", "stdio://"];
    const { workspace, env } = this.place;
    const [node = "", bin = ""] = ourSide().appServer;
    const gateway = new AppServer({ command: [node, bin, "fleet", ...args], cwd: workspace, env });
    this.#gateways.push(gateway);
    await gateway.initialize();
    return gateway;
  }

  /** Starts an app-server with the same settings, beside the fleet. */
  async connectLocally(): Promise<AppServer> {
    const { workspace, env } = this.place;
    return AppServer.start({ command: ourSide().appServer, cwd: workspace, env });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const gateway of this.#gateways) await gateway.end();
    for (const worker of this.workers) await worker.end();
    await this.broker.close();
    await this.#nats[Symbol.asyncDispose]();
    await this.#model.close();
  }

  #startWorker(name: string): Promise<FleetProgram> {
    const { workspace, env } = this.place;
    const args = ["worker", "--nats", this.#nats.url, "--pool", pool, "--name", name];
    return FleetProgram.start([...args, "--max-threads", "1000", "--workspace-root", workspace], {
      cwd: workspace,
      env,
    });
  }
}

export const pool = "bench";
