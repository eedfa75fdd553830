import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Trace } from "../trace/trace.js";
import { type Level, levelOf } from "./levels.js";

/** Version of the format of the traces; a change that old kits cannot read raises it. */
export const TRACE_FORMAT = 1;

/** Description of the traces in a package: `traces/manifest.json`. */
export interface Manifest {
  format: number;
  license: string;
  traces: ManifestEntry[];
}

/** One trace of a manifest. */
export interface ManifestEntry {
  /** `group/name`: the file is `group/name.jsonl` beside the manifest. */
  id: string;
  level: Level;
  /** Version of the reference it was recorded with. */
  version: string;
}

/** Describes traces for a manifest. */
export function toManifest(traces: Trace[]): Manifest {
  const entry = (trace: Trace): ManifestEntry => ({
    id: `${trace.group}/${trace.name}`,
    level: levelOf(trace),
    version: trace.meta.version,
  });
  return { format: TRACE_FORMAT, license: "Apache-2.0", traces: traces.map(entry) };
}

/** Throws if the traces of a folder have a format that this kit cannot read; no manifest means the current one. */
export async function checkFormat(dir: string): Promise<void> {
  const path = join(dir, "manifest.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const { format } = JSON.parse(text) as Partial<Manifest>;
  if (format === TRACE_FORMAT) return;
  throw new Error(
    `${path}: Expected \`format\` to be ${TRACE_FORMAT} (got ${JSON.stringify(format)}): ` +
      "use a version of quire-conformance that reads it",
  );
}
