import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { eraOf } from "../../src/compat/index.js";
import {
  type HttpServerConfig,
  type McpServerConfig,
  McpServerPool,
  type McpServerPoolOptions,
  type McpServers,
  type McpServersOptions,
  type StdioServerConfig,
  startMcpServers,
} from "../../src/mcp/index.js";
import type { CallToolResult, McpStartupStatus } from "../../src/protocol/types.js";

/** A separate pool, with this machine's environment. */
export function testPool(options: Partial<McpServerPoolOptions> = {}): McpServerPool {
  return new McpServerPool({
    env: process.env,
    cwd: process.cwd(),
    version: "1.2.3",
    ...options,
  });
}

/** The servers of a session, released at the end of the test. */
export interface TestServers extends AsyncDisposable {
  servers: McpServers;
  pool: McpServerPool;
  /** Calls of `onStatus`. */
  statuses: [server: string, status: McpStartupStatus][];
  /** Errors of the servers that failed to start, by server. */
  errors: Record<string, string>;
}

/** Starts servers for a session and waits until they have started or failed. */
export async function startTestServers(
  configs: Record<string, McpServerConfig>,
  options: Partial<McpServersOptions> = {},
): Promise<TestServers> {
  const pool = options.pool ?? testPool();
  const statuses: TestServers["statuses"] = [];
  const servers = startMcpServers({
    pool,
    configs: new Map(Object.entries(configs)),
    era: eraOf("0.104"),
    onStatus: (server, status) => statuses.push([server, status]),
    ...options,
  });
  await servers.started;
  return {
    servers,
    pool,
    statuses,
    errors: Object.fromEntries(
      statuses.flatMap(([name, status]) => ("error" in status ? [[name, status.error]] : [])),
    ),
    async [Symbol.asyncDispose]() {
      await servers.close();
      if (options.pool === undefined) await pool.close();
    },
  };
}

/** Config of a test server that runs as a child process in one of its modes. */
export async function stdioServer(
  mode: string,
  config: Partial<McpServerConfig> = {},
  program: Partial<StdioServerConfig> = {},
): Promise<McpServerConfig> {
  const args = [await builtProgram(), mode];
  return { transport: { type: "stdio", command: process.execPath, args, ...program }, ...config };
}

/** Config of a server that is another program. */
export function programServer(command: string): McpServerConfig {
  return { transport: { type: "stdio", command } };
}

/** Config of a server over HTTP. */
export function httpServer(url: string, more: Partial<HttpServerConfig> = {}): McpServerConfig {
  return { transport: { type: "streamable_http", url, ...more } };
}

/** Returns the text of a result with one text part. */
export function textOf(result: CallToolResult | string): string {
  if (typeof result === "string") throw new Error(result);
  return String(result.content[0]?.text);
}

let program: Promise<string> | undefined;

/** Node 20 cannot run TypeScript, so the program is bundled once per process. */
function builtProgram(): Promise<string> {
  program ??= bundle();
  return program;
}

/** Named by a hash of its content, so that the cache holds one copy. */
async function bundle(): Promise<string> {
  const dir = resolve(import.meta.dirname, "../../node_modules/.cache/quire");
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "mcp-stdio-program.ts")],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "cjs",
    minifySyntax: true,
    logLevel: "error",
  });
  const text = outputFiles[0]?.text ?? "";
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const file = join(dir, `mcp-stdio-program.${hash}.cjs`);
  const temporary = `${file}.${randomUUID()}`;
  await mkdir(dir, { recursive: true });
  await writeFile(temporary, text);
  await rename(temporary, file);
  return file;
}
