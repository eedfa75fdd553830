import { existsSync, readFileSync } from "node:fs";
import type { FleetToml } from "../config/index.js";
import { CodexError } from "../protocol/error.js";
import type { BrokerIdentity, BrokerOptions } from "./connection-options.js";

/**
 * Reads `[fleet]` of the config, and the secrets from files and the environment.
 *
 * Variables with SECRET or TOKEN in their name are not passed on to the commands that a worker runs.
 */
export function readBrokerOptions(
  fleet: FleetToml | undefined,
  env: Readonly<Record<string, string | undefined>>,
): BrokerOptions {
  const identity = readIdentity(fleet ?? {}, env);
  const { tenant, replicas, ca_file, cert_file, key_file } = fleet ?? {};
  if ((cert_file === undefined) !== (key_file === undefined)) {
    throw new CodexError("config", "fleet.cert_file and fleet.key_file are used together");
  }
  const files = { ca_file, cert_file, key_file };
  for (const [name, file] of Object.entries(files)) {
    if (file !== undefined) assertExists(`fleet.${name}`, file);
  }
  const tls = {
    ...(ca_file === undefined ? {} : { caFile: ca_file }),
    ...(cert_file === undefined ? {} : { certFile: cert_file }),
    ...(key_file === undefined ? {} : { keyFile: key_file }),
  };
  return {
    ...(tenant === undefined ? {} : { tenant }),
    ...(replicas === undefined ? {} : { replicas }),
    ...(identity === undefined ? {} : { identity }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}

function readIdentity(
  { user, creds_file, nkey_file }: FleetToml,
  env: Readonly<Record<string, string | undefined>>,
): BrokerIdentity | undefined {
  const { QUIRE_FLEET_SECRET: password, QUIRE_FLEET_TOKEN: token } = env;
  const given: Record<string, unknown> = {
    "fleet.user": user,
    "fleet.creds_file": creds_file,
    "fleet.nkey_file": nkey_file,
    QUIRE_FLEET_TOKEN: token,
  };
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length > 1) {
    throw new CodexError("config", `${names.join(" and ")} cannot be used together`);
  }
  if (creds_file !== undefined) return { creds: readSecret("fleet.creds_file", creds_file) };
  if (nkey_file !== undefined) return { nkey: readSecret("fleet.nkey_file", nkey_file) };
  if (token !== undefined) return { token };
  if (user === undefined) return undefined;
  if (password === undefined) {
    throw new CodexError("config", `fleet.user is "${user}", but QUIRE_FLEET_SECRET is not set`);
  }
  return { user, password };
}

function readSecret(key: string, file: string): string {
  assertExists(key, file);
  return readFileSync(file, "utf8");
}

function assertExists(key: string, file: string): void {
  if (!existsSync(file)) throw new CodexError("config", `${key}: there is no file ${file}`);
}
