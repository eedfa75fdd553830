import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openBroker } from "../../../src/fleet/index.js";
import { batch, brokerContract } from "../broker-contract.js";

brokerContract("files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-fleet-"));
  return {
    connect: () => openBroker(pathToFileURL(folder).href),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

test("a log whose writer was killed in the middle of a line loses only that line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-fleet-"));
  const broker = await openBroker(pathToFileURL(folder).href);
  const first = await broker.log.append("t", batch(1, "a"), 0);
  appendFileSync(join(folder, "default/log/t"), '{"epoch":1,"wor');

  const second = await broker.log.append("t", batch(2, "b"), first);

  const read: number[] = [];
  for await (const { position } of broker.log.read("t", 0)) read.push(position);
  expect(read).toEqual([first, second]);
  await broker.close();
  rmSync(folder, { recursive: true });
});
