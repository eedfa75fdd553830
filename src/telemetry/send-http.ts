import { readFile } from "node:fs/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { RetryLater, type Send } from "./exporter.js";
import type { ExporterSettings } from "./exporter-settings.js";

/** Returns a function that posts to a collector over HTTP. */
export async function httpSender(settings: ExporterSettings): Promise<Send> {
  const url = new URL(settings.url);
  const isSecure = url.protocol === "https:";
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, ...(await readCertificates(settings.tls)) })
    : new HttpAgent({ keepAlive: true });
  const headers = {
    "content-type": settings.encoding === "json" ? "application/json" : "application/x-protobuf",
    ...(settings.isCompressed ? { "content-encoding": "gzip" } : {}),
    ...settings.headers,
  };
  const request = isSecure ? httpsRequest : httpRequest;
  return async (body, signal) => {
    const content = settings.isCompressed ? await promisify(gzip)(body) : body;
    const options = { method: "POST", agent, signal };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const posted = request(
        url,
        { ...options, headers: { ...headers, "content-length": content.length } },
        resolve,
      );
      posted.on("error", reject);
      // A collector that does not answer must not keep the program running.
      posted.on("socket", (socket) => socket.unref());
      posted.end(content);
    });
    response.on("error", () => {}); // the status is all that counts
    response.resume();
    checkStatus(response);
  };
}

function checkStatus({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const message = `The collector answered with status ${statusCode}`;
  if (![429, 502, 503, 504].includes(statusCode)) throw new Error(message);
  const seconds = Number(headers["retry-after"]);
  throw new RetryLater(message, seconds > 0 ? seconds * 1000 : undefined);
}

/** Certificates as the options of Node have them. */
export async function readCertificates({ ca, certificate, key }: ExporterSettings["tls"]) {
  const read = async (path: string | undefined) =>
    path === undefined ? undefined : readFile(path);
  const files = await Promise.all([read(ca), read(certificate), read(key)]);
  return { ca: files[0], cert: files[1], key: files[2] };
}
