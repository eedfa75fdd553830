import type { TSchema } from "typebox";
import type { Declaration } from "../../src/protocol/rpc/declare.js";
import { unsupportedExperimental } from "../../src/protocol/rpc/v2/unsupported.js";
import { experimentalVersion, firstVersion, lastVersion } from "../../src/protocol/schema.js";
import { notice } from "./notice.js";

/** Facts about a shape for the codec of `src/compat/wire.ts`; references are names of shapes. */
interface WireShape {
  /** Fields with the first version that has them. */
  since?: Record<string, string>;
  /** Fields with the last version that has them. */
  until?: Record<string, string>;
  /** Shapes of fields that contain dated ones. */
  fields?: Record<string, string>;
  /** Shape of the values of a map. */
  values?: string;
  /** Field that selects the variant of a union. */
  tag?: string;
  variants?: Record<string, string>;
  /** Variants with the first version that has them. */
  variantSince?: Record<string, string>;
}

interface Schema {
  $id?: string;
  $ref?: string;
  const?: unknown;
  type?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string };
  [firstVersion]?: string;
  [lastVersion]?: string;
  [experimentalVersion]?: string;
}

/** Writes the table of dated fields that the messages of v2 can contain. */
export function writeWireTable(declarations: readonly Declaration[]): string {
  const shapes = new Map<string, WireShape>();
  const nameOf = (schema: TSchema, fallback: string) => collect(schema as Schema, fallback, shapes);
  const results: Record<string, string> = {};
  const params: Record<string, string> = {};
  const messages: Record<string, { since?: string; until?: string }> = {};
  const locked: Record<string, string> = { ...unsupportedExperimental };
  for (const { kind, name, params: sent, result, since, until, experimental } of declarations) {
    if (kind !== "method") set(params, name, nameOf(sent, `${name}.params`));
    else if (result !== undefined) set(results, name, nameOf(result, `${name}.result`));
    if (since !== undefined || until !== undefined) {
      messages[name] = { ...(since && { since }), ...(until && { until }) };
    }
    if (kind === "method") addExperimental(locked, name, sent as Schema, experimental);
  }
  const dated = datedShapes(shapes);
  const table = {
    messages,
    experimental: locked,
    results: only(results, dated),
    params: only(params, dated),
    shapes: Object.fromEntries(
      [...shapes]
        .filter(([name]) => dated.has(name))
        .map(([name, one]) => [name, prune(one, dated)]),
    ),
  };
  return `// ${notice}\nexport const wireTable = ${JSON.stringify(table, null, 2)};\n`;
}

/** Adds a method and its params that require `capabilities.experimentalApi`. */
function addExperimental(
  locked: Record<string, string>,
  name: string,
  { properties = {} }: Schema,
  version: string | undefined,
): void {
  set(locked, name, version);
  for (const [field, one] of Object.entries(properties)) {
    set(locked, `${name}.${field}`, one[experimentalVersion]);
  }
}

/** Adds the shape of a schema and returns its name; undefined if it is no object. */
function collect(schema: Schema, path: string, shapes: Map<string, WireShape>): string | undefined {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.items !== undefined) return collect(schema.items, path, shapes);
  const members = schema.anyOf?.filter(({ type }) => type !== "null");
  if (members?.length === 1 && members[0] !== undefined) return collect(members[0], path, shapes);
  const name = schema.$id ?? path;
  if (shapes.has(name)) return name;
  const shape: WireShape = {};
  if (schema.oneOf !== undefined && schema.discriminator !== undefined) {
    shapes.set(name, shape);
    addVariants(shape, name, schema.oneOf, schema.discriminator.propertyName, shapes);
  } else if (schema.properties !== undefined) {
    shapes.set(name, shape);
    addFields(shape, name, schema.properties, shapes);
  } else if (schema.patternProperties !== undefined) {
    shapes.set(name, shape);
    const [values = {}] = Object.values(schema.patternProperties);
    const target = collect(values, `${name}.*`, shapes);
    if (target !== undefined) shape.values = target;
  } else {
    return undefined;
  }
  return name;
}

function addFields(
  shape: WireShape,
  name: string,
  properties: Readonly<Record<string, Schema>>,
  shapes: Map<string, WireShape>,
): void {
  const since: Record<string, string> = {};
  const until: Record<string, string> = {};
  const fields: Record<string, string> = {};
  for (const [field, one] of Object.entries(properties)) {
    set(since, field, one[firstVersion]);
    set(until, field, one[lastVersion]);
    set(fields, field, collect(one, `${name}.${field}`, shapes));
  }
  Object.assign(shape, { fields, ...filled({ since, until }) });
}

function addVariants(
  shape: WireShape,
  name: string,
  members: readonly Schema[],
  tag: string,
  shapes: Map<string, WireShape>,
): void {
  const variantSince: Record<string, string> = {};
  const variants: Record<string, string> = {};
  for (const member of members) {
    const value = String(member.properties?.[tag]?.const);
    set(variantSince, value, member[firstVersion]);
    set(variants, value, collect(member, `${name}.${value}`, shapes));
  }
  Object.assign(shape, { tag, variants, ...filled({ variantSince }) });
}

/** Names of the shapes that are dated or contain a dated one. */
function datedShapes(shapes: ReadonlyMap<string, WireShape>): Set<string> {
  const dated = new Set<string>();
  let size = -1;
  while (size !== dated.size) {
    size = dated.size;
    for (const [name, { since, until, variantSince, fields, variants, values }] of shapes) {
      const parts = [
        ...Object.values(fields ?? {}),
        ...Object.values(variants ?? {}),
        values ?? "",
      ];
      if (since || until || variantSince || parts.some((part) => dated.has(part))) dated.add(name);
    }
  }
  return dated;
}

function prune(
  { fields = {}, variants, ...rest }: WireShape,
  dated: ReadonlySet<string>,
): WireShape {
  return {
    ...rest,
    ...filled({ fields: only(fields, dated) }),
    ...(variants && { variants: only(variants, dated) }),
  };
}

/** Omits empty records. */
function filled(records: Record<string, Record<string, string>>): Partial<WireShape> {
  return Object.fromEntries(
    Object.entries(records).filter(([, record]) => Object.keys(record).length > 0),
  );
}

function only(entries: Record<string, string>, names: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([, name]) => names.has(name)));
}

function set(record: Record<string, string>, key: string, value: string | undefined): void {
  if (value !== undefined) record[key] = value;
}
