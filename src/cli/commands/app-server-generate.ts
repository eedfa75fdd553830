import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type CommandIo, defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { readPackageFile } from "../package-file.js";
import type { AppServerSchema } from "../schema/app-server-schema.js";
import { UsageError } from "../usage-error.js";

const options = {
  out: {
    type: "string",
    short: "o",
    value: "DIR",
    help: "Where to write; made if it is not there",
  },
  prettier: { type: "string", short: "p", hidden: true, help: "Nothing: the files are tidy" },
  experimental: { type: "boolean", hidden: true, help: "Nothing: everything is written" },
} as const;

/** The types of the protocol for clients in TypeScript. */
export const generateTypeScript = defineCommand({
  name: "app-server generate-ts",
  summary: "Write the protocol as TypeScript types",
  options,
  async run({ values }, io) {
    const { toTypeScriptFiles } = await import("../schema/to-typescript.js");
    return write(toTypeScriptFiles, values.out, io);
  },
});

/** The shapes of the protocol for clients in other languages. */
export const generateJsonSchema = defineCommand({
  name: "app-server generate-json-schema",
  summary: "Write the protocol as JSON Schema",
  options,
  async run({ values }, io) {
    const { toJsonSchemaFiles } = await import("../schema/to-json-schema.js");
    return write(toJsonSchemaFiles, values.out, io);
  },
});

async function write(
  toFiles: (schema: AppServerSchema) => Map<string, string>,
  out: string | undefined,
  io: CommandIo,
): Promise<number> {
  if (out === undefined) throw new UsageError("Say where to: --out DIR");
  const folder = resolve(io.cwd, out);
  const files = toFiles(JSON.parse(await readPackageFile("schema/app-server.schema.json")));
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  io.stderr.write(`Wrote ${files.size} files to ${folder}\n`);
  return exitCodes.ok;
}
