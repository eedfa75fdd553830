import { writeChecks, writeCheckTypes } from "./checks.js";
import { generateConfig } from "./config.js";
import { collectDefinitions } from "./definitions.js";
import { writeDocs } from "./docs.js";
import { generateExecEvents } from "./exec-events.js";
import { writeJsonSchema } from "./json-schema.js";
import { generateRpc } from "./rpc.js";
import { checkFiles, roots, schemaFiles } from "./surfaces.js";
import { writeToolList } from "./tools.js";
import { writeTrustDocs } from "./trust-docs.js";

/** Returns everything that follows from the schemas: contents by path from the project's root. */
export async function generateAll(): Promise<Map<string, string>> {
  const definitions = collectDefinitions(roots);
  const outputs = new Map<string, string>();
  for (const file of checkFiles) {
    const path = `src/protocol/checks/${file.name}.generated`;
    outputs.set(`${path}.js`, await writeChecks(file, definitions));
    outputs.set(`${path}.d.ts`, writeCheckTypes(file));
  }
  for (const [file, root] of Object.entries(schemaFiles)) {
    outputs.set(`schema/${file}`, writeJsonSchema(root, definitions));
  }
  outputs.set("docs/protocol.md", writeDocs(definitions));
  outputs.set(...writeToolList());
  outputs.set(...writeTrustDocs());
  for (const [path, content] of generateExecEvents()) outputs.set(path, content);
  for (const [path, content] of generateConfig()) outputs.set(path, content);
  for (const [path, content] of await generateRpc()) outputs.set(path, content);
  return outputs;
}
