import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Serves the files of the page. Only files of the directory when it was read have an address. */
export class PageFiles {
  #folder: string;
  #names: ReadonlySet<string>;
  #loaded = new Map<string, Promise<PageFile>>();

  /** Throws if the directory does not exist. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(readdirSync(folder));
  }

  /** Returns the name of the file at a path; undefined if there is none. */
  nameOf(path: string): string | undefined {
    const name = path === "/" ? "index.html" : path.slice(1);
    return this.#names.has(name) ? name : undefined;
  }

  async send(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { type, etag, plain, packed } = await this.#file(name);
    const isHashed = /-[A-Z0-9]{8}\./.test(name);
    const headers = {
      etag,
      vary: "accept-encoding",
      "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    };
    if (request.headers["if-none-match"] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const takesGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    const body = takesGzip ? packed : plain;
    response.writeHead(200, {
      ...headers,
      ...(takesGzip ? { "content-encoding": "gzip" } : {}),
      "content-type": type,
      "content-length": body.length,
    });
    response.end(request.method === "HEAD" ? undefined : body);
  }

  #file(name: string): Promise<PageFile> {
    const loaded = this.#loaded.get(name) ?? readPageFile(join(this.#folder, name));
    this.#loaded.set(name, loaded);
    loaded.catch(() => this.#loaded.delete(name));
    return loaded;
  }
}

interface PageFile {
  type: string;
  etag: string;
  plain: Buffer;
  packed: Buffer;
}

async function readPageFile(path: string): Promise<PageFile> {
  const plain = await readFile(path);
  const packed = await promisify(gzip)(plain, { level: 9 });
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type: types[extname(path)] ?? "application/octet-stream", etag, plain, packed };
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
