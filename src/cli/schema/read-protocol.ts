import { readPackageFile } from "../package-file.js";
import type { AppServerSchema, Protocol } from "./app-server-schema.js";
import { type ProtocolOptions, toEraProtocol } from "./era-protocol.js";

/** Reads the generated schemas of both versions and of the queues, as a version speaks them. */
export async function readProtocol(options: ProtocolOptions): Promise<Protocol> {
  const read = async (name: string): Promise<AppServerSchema> =>
    JSON.parse(await readPackageFile(`schema/${name}.schema.json`));
  const [v1, v2, ...queues] = await Promise.all([
    read("app-server-v1"),
    read("app-server"),
    read("submission"),
    read("event"),
  ]);
  const $defs = Object.assign({}, v1.$defs, ...queues.map((one) => one.$defs));
  return toEraProtocol({ v1: { messages: v1.messages, $defs }, v2 }, options);
}
