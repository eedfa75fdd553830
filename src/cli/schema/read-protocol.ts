import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Era, eventWireOf, type Wire, wireOf } from "../../compat/index.js";
import { packageRoot } from "../built-folder.js";
import {
  type AppServerSchema,
  nameIn,
  type Protocol,
  referencesIn,
  type Schema,
} from "./app-server-schema.js";

/** Reads the generated schemas of both versions and of the queues, as a version speaks them. */
export async function readProtocol(options: ProtocolOptions): Promise<Protocol> {
  return (await readProtocols())(options);
}

/** Reads the generated schemas; the result returns them as a version speaks them. */
export async function readProtocols(): Promise<(options: ProtocolOptions) => Protocol> {
  const read = async (name: string): Promise<AppServerSchema> =>
    JSON.parse(await readPackageFile(`schema/${name}.schema.json`));
  const [v1, v2, ...queues] = await Promise.all([
    read("app-server-v1"),
    read("app-server"),
    read("submission"),
    read("event"),
  ]);
  const $defs = Object.assign({}, v1.$defs, ...queues.map((one) => one.$defs));
  return (options) => toEraProtocol({ v1: { messages: v1.messages, $defs }, v2 }, options);
}

/** Reads a file that comes with the program, by its path in the package. */
function readPackageFile(path: string): Promise<string> {
  return readFile(join(packageRoot(), path), "utf8");
}

/** Parts of the protocol to write. */
interface ProtocolOptions {
  era: Era;
  /** Also methods and params that can still change. */
  experimental: boolean;
}

/** The protocol as a version speaks it, without what can still change unless that is asked for. */
function toEraProtocol(all: Protocol, { era, experimental }: ProtocolOptions): Protocol {
  const v2 = structuredClone(all.v2);
  const wire = wireOf(era.name);
  if (!experimental) leaveOutUnstable(v2, wire.experimental);
  v2.messages = v2.messages.filter(({ name }) => wire.has(name));
  dropAbsent(v2.$defs, wire.absent);
  const v1 = toEraQueues(structuredClone(all.v1), era);
  return { v1: pruned(v1, ["Submission", "Event"]), v2: pruned(v2, []) };
}

/** Removes the fields and variants that the era does not have. */
function dropAbsent($defs: Record<string, Schema>, absent: Wire["absent"]): void {
  for (const [name, { fields, variants }] of absent) {
    const shape = shapeNamed(name, $defs);
    if (shape === undefined) continue;
    dropMembers(shape, new Set(variants), $defs);
    dropFields(shape, fields);
  }
}

/** The messages with the shapes that they, and these roots, are made of. */
function pruned({ messages, $defs }: AppServerSchema, roots: readonly string[]): AppServerSchema {
  const carried = messages.flatMap(({ params = [], result = [] }) => [params, result].flat());
  const needed = new Set([...roots, ...carried]);
  for (const name of needed) for (const next of referencesIn($defs[name])) needed.add(next);
  const kept = Object.entries($defs).filter(([name]) => needed.has(name));
  return { messages, $defs: Object.fromEntries(kept) };
}

function leaveOutUnstable(v2: AppServerSchema, unstable: ReadonlySet<string>): void {
  v2.messages = v2.messages.filter(({ name }) => !unstable.has(name));
  for (const { name, params } of v2.messages) {
    const prefix = `${name}.`;
    const fields = [...unstable].filter((one) => one.startsWith(prefix));
    const shape = v2.$defs[params ?? ""];
    if (shape !== undefined)
      dropFields(
        shape,
        fields.map((one) => one.slice(prefix.length)),
      );
  }
}

/** Returns a shape by its name, or the member `Union.tag` of a union. */
function shapeNamed(name: string, $defs: Record<string, Schema>): Schema | undefined {
  const [union = "", tag] = name.split(".");
  if (tag === undefined) return $defs[name];
  const members = $defs[union]?.oneOf?.map((member) => resolve(member, $defs));
  return members?.find(({ properties }) => properties?.type?.const === tag);
}

function toEraQueues(v1: AppServerSchema, { name, events, rpc }: Era): AppServerSchema {
  const { $defs } = v1;
  dropAbsent($defs, eventWireOf(name).absent);
  // Eras that report the policy of a session use another tag for it.
  if ($defs.SessionConfiguredEvent?.properties?.sandbox_policy !== undefined) tagByType($defs);
  if (events.fileChange === "keyed") $defs.FileChange = keyedFileChange;
  if (events.mcpResult === "wrapped") wrapResult($defs.McpToolCallEndEvent);
  if (rpc.approvalParams === "snake_case") {
    for (const name of ["ExecCommandApprovalParams", "ApplyPatchApprovalParams"]) {
      const shape = $defs[name];
      if (shape !== undefined) $defs[name] = inSnakeCase(shape);
    }
  }
  return v1;
}

/** Eras that report the policy of a session tag it by `type`, not by `mode`. */
function tagByType($defs: Record<string, Schema>): void {
  Object.assign($defs.SandboxPolicy ?? {}, { discriminator: { propertyName: "type" } });
  for (const member of $defs.SandboxPolicy?.oneOf ?? []) {
    const shape = resolve(member, $defs);
    const { mode, ...rest } = shape.properties ?? {};
    if (mode === undefined) continue;
    shape.properties = { type: mode, ...rest };
    shape.required = shape.required?.map((name) => (name === "mode" ? "type" : name)) ?? [];
  }
}

const content: Schema = {
  type: "object",
  properties: { content: { type: "string" } },
  required: ["content"],
};
const update: Schema = {
  type: "object",
  properties: {
    unified_diff: { type: "string" },
    move_path: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["unified_diff"],
};
const keyedFileChange: Schema = {
  description: "A change to a file, under the name of its kind.",
  anyOf: [keyed("add", content), keyed("delete", content), keyed("update", update)],
};

function keyed(key: string, value: Schema): Schema {
  return { type: "object", properties: { [key]: value }, required: [key] };
}

function wrapResult(event: Schema | undefined): void {
  const properties = event?.properties;
  if (properties?.result === undefined) return;
  const { description, ...result } = properties.result;
  const [ok = result, error = { type: "string" }] = result.anyOf ?? [];
  properties.result = {
    ...(description === undefined ? {} : { description }),
    anyOf: [keyed("Ok", ok), keyed("Err", error)],
  };
}

function inSnakeCase({ properties = {}, required = [], ...rest }: Schema): Schema {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const renamed = Object.entries(properties).map(([name, field]) => [snake(name), field]);
  return { ...rest, properties: Object.fromEntries(renamed), required: required.map(snake) };
}

function dropMembers(
  union: Schema | undefined,
  types: ReadonlySet<string>,
  $defs: Record<string, Schema>,
): void {
  if (union?.oneOf === undefined) return;
  const typeOf = (member: Schema) => resolve(member, $defs).properties?.type?.const;
  union.oneOf = union.oneOf.filter((member) => !types.has(String(typeOf(member))));
}

function dropFields(shape: Schema, fields: readonly string[]): void {
  for (const field of fields) delete shape.properties?.[field];
  if (shape.required === undefined) return;
  shape.required = shape.required.filter((field) => !fields.includes(field));
}

function resolve(schema: Schema, $defs: Record<string, Schema>): Schema {
  if (schema.$ref === undefined) return schema;
  return $defs[nameIn(schema.$ref)] ?? schema;
}
