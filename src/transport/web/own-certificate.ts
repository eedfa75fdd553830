import { X509Certificate } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { createCertificate } from "./certificate.js";

/** The certificate of the server, with the file of its key. */
export interface OwnCertificate {
  cert: string;
  key: string;
  keyFile: string;
  /** SHA-256 of the certificate, as browsers show it: `AB:CD:…`. */
  fingerprint: string;
}

/**
 * Returns the self-signed certificate in a directory.
 *
 * It is created again only before it expires or if this machine has other names than it, so that
 * devices that trust it need not be asked again.
 */
export function ownCertificate(store: string): OwnCertificate {
  const folder = join(store, "tls");
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const hosts = namesOfMachine();
  const stored = read(certFile, keyFile);
  if (stored !== undefined && isValid(stored.cert, hosts)) return describe(stored, keyFile);
  const created = createCertificate({ hosts, days: validDays });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(keyFile, created.key, { mode: 0o600 });
  chmodSync(keyFile, 0o600); // also if it was there with another mode
  writeFileSync(certFile, created.cert, { mode: 0o600 });
  return describe(created, keyFile);
}

interface Pair {
  cert: string;
  key: string;
}

function describe(pair: Pair, keyFile: string): OwnCertificate {
  return { ...pair, keyFile, fingerprint: new X509Certificate(pair.cert).fingerprint256 };
}

function read(certFile: string, keyFile: string): Pair | undefined {
  try {
    return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  } catch {
    return undefined;
  }
}

function isValid(cert: string, hosts: readonly string[]): boolean {
  try {
    const parsed = new X509Certificate(cert);
    const isFresh = Date.parse(parsed.validTo) - Date.now() > freshMs;
    const isNamed = (host: string) => (isIP(host) ? parsed.checkIP(host) : parsed.checkHost(host));
    return isFresh && hosts.every((host) => isNamed(host) !== undefined);
  } catch {
    return false;
  }
}

function namesOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  // Link-local addresses have a zone, which no certificate can name.
  const usable = addresses.map(({ address }) => address).filter((one) => !/^fe80:|%/i.test(one));
  const name = hostname().toLowerCase();
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name);
  return [...new Set(["localhost", ...(isName ? [name, `${name}.local`] : []), ...usable])];
}

/** Browsers refuse longer ones. */
const validDays = 397;
const freshMs = 24 * 60 * 60 * 1000;
