import { readTraces } from "../trace/read-traces.js";
import { type Manifest, toManifest } from "./manifest.js";

/** Reads a folder of traces and returns its manifest; the build of the package runs this. */
export async function describe(dir: string): Promise<Manifest> {
  return toManifest(await readTraces({ dir }, () => true));
}
