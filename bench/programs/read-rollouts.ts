// Reads rollouts as the project does, or with JSON.parse alone, and prints the cost.
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { listThreads, readConversation, readUsage } from "../../src/rollout/index.js";
import { peakMb } from "../process-facts.js";

export type ReadRolloutsOptions =
  /** A file, or all below a folder, line by line. */
  | { how: "parse"; path: string }
  | { how: "resume"; path: string }
  /** Tokens of all threads of a home. */
  | { how: "usage"; path: string }
  | { how: "list"; path: string; pageSize: number; byUpdate?: boolean; forgetIndex?: boolean };

export interface RolloutCost {
  ms: number;
  peakMb: number;
  /** Number of lines, items or threads. */
  found: number;
}

const options = JSON.parse(process.argv[2] ?? "") as ReadRolloutsOptions;
if (options.how === "list" && options.forgetIndex) {
  rmSync(join(options.path, "quire-threads.jsonl"), { force: true });
}
const start = performance.now();
const found = await read(options);
const cost: RolloutCost = { ms: performance.now() - start, peakMb: peakMb(process.pid), found };
console.log(JSON.stringify(cost));

async function read(what: ReadRolloutsOptions): Promise<number> {
  if (what.how === "parse") return parseAll(what.path);
  if (what.how === "resume") {
    const { items, warnings } = await readConversation(what.path);
    if (warnings.length > 0) throw new Error(warnings.join("\n"));
    return items.length;
  }
  if (what.how === "usage") {
    const records = await readUsage(what.path);
    return records.reduce((sum, { responses }) => sum + responses, 0);
  }
  const { path, pageSize, byUpdate = false } = what;
  const sortKey = byUpdate ? "updated_at" : "created_at";
  const { items } = await listThreads(path, { pageSize, sortKey });
  return items.length;
}

function parseAll(path: string): number {
  if (!statSync(path).isDirectory()) return parseLines(path);
  return readdirSync(path).reduce((sum, name) => sum + parseAll(join(path, name)), 0);
}

/** Discards everything it reads, so its memory is that of the reading alone. */
function parseLines(path: string): number {
  const file = openSync(path, "r");
  const chunk = Buffer.allocUnsafe(512 * 1024);
  let rest = Buffer.alloc(0);
  let lines = 0;
  for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    let begin = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, begin)) {
      JSON.parse(bytes.toString("utf8", begin, end));
      begin = end + 1;
      lines++;
    }
    rest = bytes.subarray(begin);
  }
  closeSync(file);
  return lines;
}
