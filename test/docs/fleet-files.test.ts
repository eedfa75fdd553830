import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { FleetProcesses } from "../support/fleet-processes.js";
import { hasNatsServer, startNatsServer } from "../support/nats-server.js";

describe.skipIf(!hasNatsServer())("the containers of a fleet", () => {
  test.each([
    ["compose.yaml", 0o600],
    ["kubernetes.yaml", 0o400],
  ])("start with the commands of %s", async (name, mode) => {
    const text = readFileSync(resolve("docs/fleet", name), "utf8");
    const [worker = [], gateway = []] = commandsIn(text);
    await using nats = await startNatsServer();
    await using fleet = await FleetProcesses.start(() => [{ message: "Hello." }]);
    const token = join(fleet.root, "token");
    writeFileSync(token, "0123456789abcdef0123456789abcdef\n", { mode });
    const work = join(fleet.root, "work");
    mkdirSync(work);
    const places: Record<string, string> = {
      "nats://nats:4222": nats.url,
      "/work": work,
      "/run/secrets/token": token,
      "/run/gateway/token": token,
      "ws://0.0.0.0:4500": "ws://0.0.0.0:0",
    };
    const here = (words: readonly string[]) => words.slice(2).map((word) => places[word] ?? word);

    await fleet.spawn("worker", here(worker), "ready");
    const { output } = await fleet.spawn("gateway", here(gateway), "listening on");

    // What a service in front of several gateways asks for.
    const [, port = ""] = /listening on ws:\/\/[^ ]*:(\d+)/.exec(output()) ?? [];
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    const refused = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([ready.status, refused.status]).toEqual([200, 401]);
  });
});

/** Returns the commands of the containers that run our program. */
function commandsIn(text: string): string[][] {
  const lists = [...text.matchAll(/\[\s*"quire",[^\]]*\]/g)];
  return lists.map(([list]) => JSON.parse(list.replace(/,\s*\]$/, "]")) as string[]);
}
