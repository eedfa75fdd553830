import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

/** Uid of an ordinary user without files. */
export const NOBODY = 65534;

/** Bundles `attack` into a folder; returns a function that runs it as an ordinary user. */
export async function attackAsNobody(folder: string) {
  const outfile = join(folder, "attack.mjs");
  await build({
    stdin: {
      contents: `import { attack } from "./attack.ts";
        const [workspace, texts] = JSON.parse(process.argv[2]);
        const answers = [];
        for (const text of texts) answers.push(await attack(workspace, text));
        console.log(JSON.stringify(answers));`,
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  await chmod(outfile, 0o644);
  return async (workspace: string, ...texts: string[]): Promise<string[]> => {
    const args = [outfile, JSON.stringify([workspace, texts])];
    const options = { uid: NOBODY, gid: NOBODY, cwd: folder };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as string[];
  };
}
