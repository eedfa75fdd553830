import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { nameSelf, stateOfHolder } from "../../../lib/lock-holder.js";
import { CodexError } from "../../../protocol/error.js";
import type { CommandIo } from "../../command.js";

/** Returns the directory of paired devices, pairing codes and the running server; commands cannot write it. */
export function webStore(home: string): string {
  return join(home, "quire", "web");
}

/** The running server, as other processes find it. */
interface AnnouncedServer {
  /** Address of the page. */
  url: string;
  /** Names the process. */
  holder: string;
  /** SHA-256 of a self-signed certificate. */
  fingerprint?: string;
}

/** Address of a server, and what its visitors must know. */
export type PageServer = Pick<AnnouncedServer, "url" | "fingerprint">;

/** Returns the server as a listener at an address serves it. */
export async function pageServer(listening: string, fingerprint?: string): Promise<PageServer> {
  const url = await pageAddress(listening);
  return { url, ...(fingerprint === undefined ? {} : { fingerprint }) };
}

/** Publishes the address of this server for `quire web pair`; returns a function that withdraws it. */
export async function announceServer(store: string, page: PageServer): Promise<() => void> {
  const holder = nameSelf();
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const { replaceFile } = await import("../../../lib/replace-file.js");
  const server: AnnouncedServer = { ...page, holder };
  await replaceFile(fileIn(store), `${JSON.stringify(server)}\n`, { mode: 0o600 });
  return () => {
    if (read(store)?.holder === holder) rmSync(fileIn(store), { force: true });
  };
}

/**
 * Returns the running server; throws if none runs.
 *
 * A server publishes its address just after it has printed it, so it may take a moment.
 */
export async function findServer(store: string): Promise<PageServer> {
  for (let tries = 0; tries < mostTries; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, retryMs));
    const server = read(store);
    if (server !== undefined && stateOfHolder(server.holder) === "running") return server;
  }
  throw new CodexError("io", "No web server runs with this home: start one with `quire web`");
}

const mostTries = 10;
const retryMs = 100;

/** Prints an address with a new pairing code, and its QR code on a terminal. */
export async function printPairingAddress(
  store: string,
  { url, fingerprint }: PageServer,
  { stdout, stderr }: Pick<CommandIo, "stdout" | "stderr">,
): Promise<void> {
  const { PairingCodes } = await import("../../../transport/web/pairing-codes.js");
  const address = `${url}/#pair=${new PairingCodes(store).create()}`;
  stdout.write(`${address}\n`);
  if (fingerprint !== undefined) {
    stderr.write(
      `The certificate is self-signed. Compare its SHA-256 in the browser:\n${fingerprint}\n`,
    );
  }
  if (!stdout.isTTY) return;
  const { renderUnicodeCompact } = await import("uqr");
  const certificate = fingerprint === undefined ? "" : `&sha256=${fingerprint.replaceAll(":", "")}`;
  stdout.write(`${renderUnicodeCompact(`${address}${certificate}`, { border: 2 })}\n`);
  stderr.write("Open the address in a browser. The code works once and for ten minutes.\n");
}

/** Converts the address of a listener to the one that a browser can open. */
async function pageAddress(listening: string): Promise<string> {
  const [{ authority, parseAddress }, { shownHost }] = await Promise.all([
    import("../../../transport/address.js"),
    import("../../../transport/web/own-hosts.js"),
  ]);
  const parsed = parseAddress(listening);
  if (!("host" in parsed)) throw new CodexError("io", `${listening} has no host`);
  return `${parsed.secure ? "https" : "http"}://${authority(shownHost(parsed.host), parsed.port)}`;
}

function read(store: string): AnnouncedServer | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(store), "utf8"));
  } catch {
    return undefined;
  }
}

function fileIn(store: string): string {
  return join(store, "server.json");
}
