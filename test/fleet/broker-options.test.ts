import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBroker, readBrokerOptions } from "../../src/fleet/index.js";

const folder = mkdtempSync(join(tmpdir(), "quire-options-"));
const file = join(folder, "file");
writeFileSync(file, "content");

afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [undefined, {}, {}],
  [{ tenant: "t", replicas: 3 }, {}, { tenant: "t", replicas: 3 }],
  [{ user: "u" }, { QUIRE_FLEET_SECRET: "s" }, { identity: { user: "u", password: "s" } }],
  [{}, { QUIRE_FLEET_TOKEN: "t" }, { identity: { token: "t" } }],
  [{ creds_file: file }, {}, { identity: { creds: "content" } }],
  [{ nkey_file: file }, {}, { identity: { nkey: "content" } }],
  [{ ca_file: file }, {}, { tls: { caFile: file } }],
])("[fleet] %j with the environment %j is %j", (fleet, env, options) => {
  expect(readBrokerOptions(fleet, env)).toEqual(options);
});

test.each([
  [{ user: "u" }, {}, 'fleet.user is "u", but QUIRE_FLEET_SECRET is not set'],
  [{ user: "u", nkey_file: file }, {}, "fleet.user and fleet.nkey_file cannot be used together"],
  [{ creds_file: "/nonexistent" }, {}, "fleet.creds_file: there is no file /nonexistent"],
  [{ cert_file: file }, {}, "fleet.cert_file and fleet.key_file are used together"],
])("[fleet] %j with the environment %j is refused: %s", (fleet, env, message) => {
  expect(() => readBrokerOptions(fleet, env)).toThrow(message);
});

test("a tenant must be a plain name", async () => {
  await expect(openBroker("memory:", { tenant: "a.b" })).rejects.toThrow(
    'Expected fleet.tenant to have 1 to 64 letters, digits and "-" (got "a.b")',
  );
});

test.each([
  "nonsense",
  "nats://",
  "http://127.0.0.1:4222",
  "nats://127.0.0.1:99999",
  "nats://127.0.0.1:4222,",
  "nats://127.0.0.1:4222,tls://127.0.0.1:4223",
  "nats://127.0.0.1:4222/path",
])("%s is not the address of a broker", async (url) => {
  await expect(openBroker(url)).rejects.toThrow(
    `Expected the address of a broker, such as nats://127.0.0.1:4222 (got "${url}")`,
  );
});

test("secrets in addresses are not printed", async () => {
  await expect(openBroker("nats://one:secret@127.0.0.1:1,two:secret@h:99999")).rejects.toThrow(
    /\(got "nats:\/\/127\.0\.0\.1:1,h:99999"\)/,
  );
});
