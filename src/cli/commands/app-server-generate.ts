import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type CommandIo, defineCommand, type Values } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { requireEra } from "../identity.js";
import type { Protocol } from "../schema/app-server-schema.js";

const options = {
  out: {
    type: "string",
    short: "o",
    value: "DIR",
    help: "Output directory; created if missing",
  },
  prettier: {
    type: "string",
    short: "p",
    hidden: true,
    help: "Ignored; output is already formatted",
  },
  experimental: { type: "boolean", help: "Include experimental methods and fields" },
} as const;

/** Generates the types of v1, v2 and the queues for TypeScript clients. */
export const generateTypeScript = defineCommand({
  name: "app-server generate-ts",
  summary: "Generate TypeScript types of the protocol",
  options,
  async run({ values }, io) {
    const { toTypeScriptFiles } = await import("../schema/to-typescript.js");
    return write(toTypeScriptFiles, values, io);
  },
});

/** Generates the schemas of the protocol for clients in other languages. */
export const generateJsonSchema = defineCommand({
  name: "app-server generate-json-schema",
  summary: "Generate JSON Schema of the protocol",
  options,
  async run({ values }, io) {
    const { toJsonSchemaFiles } = await import("../schema/to-json-schema.js");
    return write(toJsonSchemaFiles, values, io);
  },
});

async function write(
  toFiles: (protocol: Protocol) => Map<string, string>,
  { out, experimental }: Values<typeof options>,
  io: CommandIo,
): Promise<number> {
  if (out === undefined) throw new UsageError("Missing --out DIR");
  const folder = resolve(io.cwd, out);
  const { readProtocol } = await import("../schema/read-protocol.js");
  const protocol = await readProtocol({ era: requireEra(io.env), experimental });
  const files = toFiles(protocol);
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  io.stderr.write(`Wrote ${files.size} files to ${folder}\n`);
  return exitCodes.ok;
}
