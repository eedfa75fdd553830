import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal } from "../access-guard.js";
import { type ProbeAnswer, probePaths } from "../probes.js";
import type { Devices } from "./devices.js";
import { isOwnHost, isOwnOrigin, type OwnAddress } from "./own-hosts.js";
import type { PageFiles } from "./page-files.js";
import type { PairingCodes } from "./pairing-codes.js";

/** Parts of a door. */
export interface WebDoorParts {
  own: OwnAddress;
  devices: Devices;
  codes: PairingCodes;
  files: PageFiles;
  /** Directory of the devices; the cookie is named after it. */
  store: string;
  /** Answers a request for one of `probePaths`. */
  probe(path: string, request: IncomingMessage): ProbeAnswer | Promise<ProbeAnswer>;
}

/** Answers the HTTP requests of a web listener, and decides which devices may connect. */
export class WebDoor {
  #parts: WebDoorParts;
  #cookie: string;

  constructor(parts: WebDoorParts) {
    this.#parts = parts;
    // Browsers send a cookie to every port of a host: servers of different homes must differ.
    const hash = createHash("sha256").update(parts.store).digest("hex");
    this.#cookie = `quire-device-${hash.slice(0, 8)}`;
  }

  /** Returns undefined if a request for a connection comes from a paired device. */
  refusalOf(request: IncomingMessage): Refusal | undefined {
    const refusal = this.#pageRefusal(request);
    if (refusal !== undefined) return refusal;
    const path = pathOf(request);
    if (path !== "/ws" && path !== "/") return { status: 404, reason: "Connect to /ws" };
    if (this.deviceOf(request) !== undefined) return undefined;
    return { status: 401, reason: "This device is not paired: POST /pair with a pairing code" };
  }

  /** Returns the id of the paired device that sent a request. */
  deviceOf({ headers }: IncomingMessage): string | undefined {
    const cookie = cookieNamed(this.#cookie, headers.cookie ?? "");
    const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
    for (const secret of [cookie, token]) {
      const id = secret === undefined ? undefined : this.#parts.devices.find(secret);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** Answers a request that is no upgrade. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    if (!isOwnHost(request.headers.host, this.#parts.own)) return refuseWith(response, foreignHost);
    const path = pathOf(request);
    if (path === "/pair") return this.#pair(request, response);
    if (path === "/ws") {
      const refusal = this.refusalOf(request);
      const upgrade = { status: 426, reason: "This is a WebSocket" };
      if (refusal === undefined) response.setHeader("upgrade", "websocket");
      return refuseWith(response, refusal ?? upgrade);
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return refuseWith(response, { status: 405, reason: "Use GET" });
    }
    if (probePaths.has(path)) {
      const [status, text, type = "text/plain"] = await this.#parts.probe(path, request);
      response.writeHead(status, { "content-type": type }).end(text);
      return;
    }
    if (path === "/device") return this.#describeDevice(request, response);
    const name = this.#parts.files.nameOf(path);
    if (name === undefined) return refuseWith(response, { status: 404, reason: "No such page" });
    return this.#parts.files.send(name, request, response);
  }

  /** Returns to a page if it is paired; a status of 401 would show up as an error in its console. */
  #describeDevice(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#pageRefusal(request);
    if (refusal !== undefined) {
      refuseWith(response, refusal);
      return;
    }
    const headers = { "content-type": "application/json", "cache-control": "no-store" };
    const id = this.deviceOf(request) ?? null;
    response.writeHead(200, headers).end(JSON.stringify({ device: id }));
  }

  async #pair(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#pageRefusal(request) ?? problemOfPost(request);
    if (refusal !== undefined) return refuseWith(response, refusal);
    const body = parsePairing(await readBody(request));
    if (body === undefined) {
      const reason = 'Expected {"code":"…","name":"…"} of at most 4096 bytes';
      return refuseWith(response, { status: 400, reason });
    }
    const { devices, codes, own } = this.#parts;
    const result = codes.redeem(body.code);
    if (result !== "accepted") return refuseWith(response, pairingRefusals[result]);
    const secret = await devices.add(body.name);
    const flags = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${cookieSeconds}`;
    const cookie = `${this.#cookie}=${secret}; ${flags}${own.secure ? "; Secure" : ""}`;
    response.writeHead(204, { "set-cookie": cookie, "cache-control": "no-store" }).end();
  }

  /** Refuses pages of other sites, which can reach local ports too. */
  #pageRefusal({ headers }: IncomingMessage): Refusal | undefined {
    const { own } = this.#parts;
    if (!isOwnHost(headers.host, own)) return foreignHost;
    const { origin } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, own)) return foreignOrigin;
    const site = headers["sec-fetch-site"] ?? "none";
    const isForeign = site !== "none" && site !== "same-origin";
    return origin === undefined && isForeign ? foreignOrigin : undefined;
  }
}

const foreignHost: Refusal = {
  status: 403,
  reason: "Requests for this Host are not allowed; --allow-host adds a name",
};
const foreignOrigin: Refusal = {
  status: 403,
  reason: "Requests of pages of another origin are not allowed",
};
const pairingRefusals = {
  wrong: {
    status: 403,
    reason: "The code is wrong, used or older than ten minutes; `quire web pair` prints another",
  },
  exhausted: {
    status: 429,
    reason: "Too many wrong codes; `quire web pair` prints another",
  },
};

/** Largest age that browsers accept: 400 days. */
const cookieSeconds = 400 * 24 * 60 * 60;

/** The page loads nothing from elsewhere, contains no inline code, and cannot be framed. */
const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

/** An HTTP status of 400 or more, and its reason. */
type AnyRefusal = { status: number; reason: string };

function refuseWith(response: ServerResponse, { status, reason }: AnyRefusal): void {
  response.shouldKeepAlive = false; // the rest of the request is not read
  if (status === 401) response.setHeader("www-authenticate", "Bearer");
  response.writeHead(status, { "content-type": "text/plain", "cache-control": "no-store" });
  response.end(`${reason}\n`);
}

function problemOfPost({ method, headers }: IncomingMessage): AnyRefusal | undefined {
  if (method !== "POST") return { status: 405, reason: "Use POST" };
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() === "application/json") return undefined;
  return { status: 415, reason: "Expected the content type application/json" };
}

/** Returns undefined if the body is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const maxBodyBytes = 4096;

function parsePairing(body: string | undefined): { code: string; name: string } | undefined {
  try {
    const { code, name = "" } = JSON.parse(body ?? "");
    if (typeof code !== "string" || typeof name !== "string") return undefined;
    const shown = name.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").trim();
    return { code, name: shown.slice(0, 100) || "Unnamed device" };
  } catch {
    return undefined;
  }
}

function cookieNamed(name: string, header: string): string | undefined {
  const pairs = header.split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([key]) => key === name)?.[1];
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?")[0] ?? "";
}
