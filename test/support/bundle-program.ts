import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles a TypeScript program into a folder, where Node can run it without dependencies; returns
 * its path.
 */
export async function bundleProgram(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["@lydell/node-pty"],
    logLevel: "error",
  });
  return outfile;
}
