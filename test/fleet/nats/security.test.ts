import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connect, nkeys } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Broker } from "../../../src/fleet/broker.js";
import { type BrokerOptions, openBroker } from "../../../src/fleet/index.js";
import { randomUuid } from "../../../src/lib/ids.js";
import { createCertificate } from "../../../src/transport/web/certificate.js";
import { FleetProcesses } from "../../support/fleet-processes.js";
import { createJwtAccount } from "../../support/nats-jwt.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "../../support/nats-server.js";
import { batch } from "../broker-contract.js";

describe.skipIf(!hasNatsServer())("on NATS", () => {
  describe("with the documented accounts", () => {
    const roles = [
      "default-worker",
      "default-gateway",
      "default-operator",
      "second-setup",
    ] as const;
    const brokers = new Map<string, Broker>();
    let server: NatsServer;
    const as = (role: (typeof roles)[number]) => brokers.get(role) as Broker;
    const open = (user: string, options: BrokerOptions = {}) =>
      openBroker(server.url, { identity: { user, password: `pw-${user}` }, ...options });

    beforeAll(async () => {
      const users = ["default-setup", ...roles];
      const name = (user: string) => `${user.replace("-", "_").toUpperCase()}_SECRET`;
      server = await startNatsServer({
        config: readFileSync(resolve("docs/fleet/nats-accounts.conf"), "utf8"),
        env: Object.fromEntries(users.map((user) => [name(user), `pw-${user}`])),
      });
      await (await open("default-setup")).close();
      for (const role of roles) {
        brokers.set(role, await open(role, role === "second-setup" ? { tenant: "second" } : {}));
      }
    });

    afterAll(async () => {
      await Promise.all([...brokers.values()].map((broker) => broker.close()));
      await server[Symbol.asyncDispose]();
    });

    test("a turn goes from operator to worker to gateway and back", async () => {
      const threadId = randomUuid();
      const end = new AbortController();
      const { signal } = end;
      const live: string[] = [];
      as("default-gateway").live.subscribe(threadId, ({ id }) => live.push(id));
      const submission = { id: "1", op: { type: "interrupt" as const } };

      await as("default-operator").submissions.put(threadId, submission);
      await as("default-operator").wakes.wake("p", threadId);
      const worker = as("default-worker");
      await worker.leases.watchLost("p", () => {}, signal);
      const wakeUp = await worker.wakes.next("p", signal);
      const holder = { worker: "w", pool: "p", durationMs: 5_000 };
      const lease = await worker.leases.take(threadId, holder);
      await wakeUp?.done();
      for await (const { id } of worker.submissions.follow(threadId, 0, signal)) {
        expect(id).toBe("1");
        break;
      }
      const position = await worker.log.append(threadId, batch(1, "a"), 0);
      await worker.answers.follow(threadId, () => {}, signal);
      await worker.workers.announce({ name: "w", pool: "p", threads: 1, draining: false });
      await vi.waitFor(() => {
        worker.live.publish(threadId, { id: "d", msg: { type: "shutdown_complete" } });
        expect(live.length).toBeGreaterThan(0);
      });
      const asked = vi.fn();
      await worker.workers.onDrain("w", asked, signal);
      await as("default-operator").workers.drain("w");
      const question = { question: "q", client: "c", gateway: "g", answeredAtMs: 1 };
      const op = { type: "exec_approval" as const, id: "q", decision: "approved" as const };
      const won = await as("default-gateway").answers.answer(threadId, { ...question, op });
      await lease?.renew();
      await lease?.release();

      expect(await as("default-gateway").log.head(threadId)).toBe(position);
      expect(await as("default-operator").workers.list()).toHaveLength(1);
      expect({ won, asked: asked.mock.calls.length }).toEqual({ won: true, asked: 1 });
      await worker.workers.leave("w");
      end.abort();
    });

    test.each([
      [
        "a gateway cannot write logs",
        (): Promise<unknown> => as("default-gateway").log.append("t", batch(1, "a"), 0),
      ],
      [
        "a gateway cannot take threads",
        () => as("default-gateway").leases.take("t", holderOf("g")),
      ],
      ["a gateway cannot drain workers", () => as("default-gateway").workers.drain("w")],
      [
        "an operator cannot answer questions",
        () => as("default-operator").answers.answer("t", anAnswer),
      ],
      [
        "an operator cannot write logs",
        () => as("default-operator").log.append("t", batch(1, "a"), 0),
      ],
      [
        "a worker cannot answer questions",
        () => as("default-worker").answers.answer("t", anAnswer),
      ],
      ["a worker cannot submit", () => as("default-worker").submissions.put("t", aSubmission)],
    ])("%s", async (_, attempt) => {
      await expect(attempt()).rejects.toThrow("does not permit this account");
    });

    test("a worker that runs as another role is refused when it starts", async () => {
      await using fleet = await FleetProcesses.start(() => [{ message: "Hello." }]);
      const nats = server.url.replace("//", "//default-gateway:pw-default-gateway@");

      await expect(fleet.worker("w", { nats, pool: "p", lease: 2 })).rejects.toThrow(
        /w has ended with 3: .*does not permit this account/,
      );
    });

    test("nothing of a tenant is visible to another", async () => {
      const threadId = randomUuid();
      await as("default-worker").log.append(threadId, batch(1, "secret"), 0);

      // Also if it asks for the streams of the other one, which its account does not have.
      const second = as("second-setup");
      expect(await second.log.head(threadId)).toBe(0);
      expect(await second.directory.list()).toEqual([]);
      await expect(open("second-setup", { tenant: "default" })).rejects.toThrow();
    });

    test("a wrong password is refused without being printed", async () => {
      const address = server.url.replace("//", "//default-worker:hunter2@");

      const error = await openBroker(address).catch((thrown: Error) => thrown);

      expect(String(error)).toContain(`The broker at ${server.url} refused the connection`);
      expect(String(error)).not.toContain("hunter2");
    });
  });

  test("TLS, a client certificate and an nkey are used together", async () => {
    const { cert, key } = createCertificate();
    const user = nkeys.createUser();
    const tls = `cert_file: "FOLDER/cert.pem", key_file: "FOLDER/key.pem", ca_file: "FOLDER/cert.pem"`;
    await using server = await startNatsServer({
      config: `tls { ${tls}, verify: true }\nauthorization { users: [{ nkey: ${user.getPublicKey()} }] }`,
      files: { "cert.pem": cert, "key.pem": key },
    });
    const file = (name: string) => join(server.folder, name);
    const files = {
      caFile: file("cert.pem"),
      certFile: file("cert.pem"),
      keyFile: file("key.pem"),
    };
    const nkey = Buffer.from(user.getSeed()).toString();
    const url = server.url.replace("nats:", "tls:");

    const broker = await openBroker(url, { identity: { nkey }, tls: files });

    expect(await broker.log.head("t")).toBe(0);
    await broker.close();
    for (const refused of [
      { identity: { nkey } },
      { tls: files },
      { identity: { nkey }, tls: { caFile: files.caFile } },
      { identity: { token: "hunter2" }, tls: files },
    ]) {
      const error = await openBroker(url, { ...refused, waitMs: 0 }).catch(String);
      expect(error).toContain(url);
      expect(error).not.toContain("hunter2");
    }
  });

  test("credentials of nsc open the account of their tenant", async () => {
    const { config, credentials, otherCredentials } = createJwtAccount();
    await using server = await startNatsServer({ config });

    const broker = await openBroker(server.url, { identity: { creds: credentials } });

    expect(await broker.log.append("t", batch(1, "a"), 0)).toBeGreaterThan(0);
    await broker.close();
    for (const refused of [{}, { identity: { creds: otherCredentials } }]) {
      await expect(openBroker(server.url, { ...refused, waitMs: 0 })).rejects.toThrow(
        `The broker at ${server.url} refused the connection`,
      );
    }
  });

  describe("messages of other programs", () => {
    let server: NatsServer;
    let broker: Broker;
    const warnings: string[] = [];

    beforeAll(async () => {
      server = await startNatsServer();
      broker = await openBroker(server.url, { onWarning: (text) => warnings.push(text) });
    });

    afterAll(async () => {
      await broker.close();
      await server[Symbol.asyncDispose]();
    });

    test("are refused over TLS if the server has none", async () => {
      const url = server.url.replace("nats:", "tls:");

      await expect(openBroker(url)).rejects.toThrow(`The broker at ${url} does not offer TLS`);
    });

    test("are skipped and recorded, and do not make an owner lose its thread", async () => {
      const nats = await connect({ servers: server.url });
      const foreign = async (kind: string, text: string) => {
        await nats.request(`cx.default.${kind}.t`, text);
      };
      const first = await broker.log.append("t", batch(7, "a"), 0);
      await foreign("log", "not JSON");
      await foreign("log", JSON.stringify({ epoch: "x", entries: 5 }));
      await foreign("log", JSON.stringify({ ...batch(7, "b"), entries: [{ seq: 1, event: {} }] }));

      const second = await broker.log.append("t", batch(7, "c"), first);
      await foreign("log", JSON.stringify(batch(3, "an old epoch")));
      await foreign("sub", JSON.stringify({ id: "x", op: { type: "nope" } }));
      await foreign("sub", JSON.stringify({ id: "x", op: { type: "interrupt" } }));
      const submission = { id: "1", op: { type: "interrupt" as const } };
      const { position } = await broker.submissions.put("t", submission);
      await foreign("sub", "late");
      expect(await broker.submissions.head("t")).toBe(position);
      expect(await broker.log.head("t")).toBe(second);
      await foreign("answer", "{}");
      await foreign("lease", JSON.stringify({ threadId: "another", worker: "evil" }));
      await foreign("thread", "[]");
      await foreign("worker", "5");

      const read: number[] = [];
      for await (const at of broker.log.read("t", 0)) read.push(at.position);
      expect(read).toEqual([first, second]);
      for await (const at of broker.submissions.follow("t", 0, AbortSignal.timeout(5_000))) {
        expect(at).toEqual({ ...submission, position });
        break;
      }
      expect(await broker.answers.answer("t", anAnswer)).toBe(true);
      expect(await broker.leases.list()).toEqual([]);
      expect(await broker.leases.take("t", holderOf("w"))).toBeDefined();
      expect(await broker.directory.list()).toEqual([]);
      expect(await broker.workers.list()).toEqual([]);
      expect(warnings.length).toBe(11);
      expect(warnings[0]).toMatch(/^Skipped message \d+ on cx\.default\.log\.t: /);
      await vi.waitFor(async () => expect((await broker.inspect()).skipped).toBe(11));
      await nats.close();
    });

    test("about threads whose names are not ids are skipped", async () => {
      const nats = await connect({ servers: server.url });
      const name = "../../other";
      const foreign = (kind: string, value: object | string) =>
        nats.request(
          `cx.default.${kind}.=${Buffer.from(name).toString("hex")}`,
          JSON.stringify(value),
        );
      const end = new AbortController();
      const marked: string[] = [];
      await broker.marks.watch((threadId) => marked.push(threadId), end.signal);
      const lost: string[] = [];
      await broker.leases.watchLost("p", ({ threadId }) => lost.push(threadId), end.signal);
      const { skipped } = await broker.inspect();
      const lease = { threadId: name, ...holderOf("w"), durationMs: 1, state: "held", renewals: 0 };
      const entry = { threadId: name, pool: "p", head: [], state: "idle", worker: "w", epoch: 1 };
      await foreign("lease", lease);
      await foreign("mark", { threadId: name, kind: "deleted", atMs: 1 });
      await foreign("thread", { ...entry, createdAtMs: 1, updatedAtMs: 1 });
      await foreign("sub", { id: "1", op: { type: "interrupt" } });
      await foreign("wake.p", "");
      const threadId = randomUuid();
      await broker.marks.put({ threadId, kind: "archived", atMs: 1 });
      await broker.leases.take(threadId, { ...holderOf("w"), durationMs: 10 });
      await broker.wakes.wake("p", threadId);

      expect((await broker.wakes.next("p", end.signal))?.threadId).toBe(threadId);
      await vi.waitFor(() => expect(lost).toContain(threadId));
      await vi.waitFor(() => expect(marked).toContain(threadId));
      expect(lost).not.toContain(name);
      expect(marked).toEqual([threadId]);
      expect(await broker.directory.list()).toEqual([]);
      expect((await broker.submissions.recent(0)).threads.has(name)).toBe(false);
      await vi.waitFor(async () => expect((await broker.inspect()).skipped).toBe(skipped + 4));
      end.abort();
      await nats.close();
    });
  });
});

const aSubmission = { id: "1", op: { type: "interrupt" as const } };

const anAnswer = {
  question: "q",
  op: { type: "exec_approval" as const, id: "q", decision: "approved" as const },
  client: "c",
  gateway: "g",
  answeredAtMs: 1,
};

function holderOf(worker: string) {
  return { worker, pool: "p", durationMs: 60_000 };
}
