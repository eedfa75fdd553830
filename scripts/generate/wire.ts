import { readFileSync } from "node:fs";
import type { TSchema } from "typebox";
import type { Declaration } from "../../src/protocol/rpc/declare.js";
import { restoredFields } from "../../src/protocol/rpc/restored-fields.js";
import { unsupportedExperimental } from "../../src/protocol/rpc/v2/unsupported.js";
import {
  experimentalVersion,
  firstVersion,
  lastVersion,
  onRequestVersion,
} from "../../src/protocol/schema.js";
import { notice } from "./notice.js";

/** Facts about a shape for the codec of `src/compat/wire.ts`; references are names of shapes. */
interface WireShape {
  /** Fields with the first version that has them. */
  since?: Dates;
  /** Fields with the last version that has them. */
  until?: Dates;
  /** Shapes of fields that contain dated ones. */
  fields?: Record<string, string>;
  /** Shape of the values of a map. */
  values?: string;
  /** Field that selects the variant of a union. */
  tag?: string;
  variants?: Record<string, string>;
  /** Variants with the first version that has them. */
  variantSince?: Dates;
  /** Variants with the first version that sends them only on request. */
  variantOnRequest?: Dates;
}

/** Versions by the name of a part. */
type Dates = Record<string, string>;

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
  [onRequestVersion]?: string;
  [experimentalVersion]?: string;
}

/** Declarations that the codec encodes: messages of v2, and roots of other surfaces by name. */
export interface WireSources {
  v2: readonly Declaration[];
  unions: Readonly<Record<string, TSchema>>;
}

/** Parts without a date that every version has. */
type Baseline = Pick<ReadonlySet<string>, "has">;

/** Writes the table of dated parts that the messages of each surface can contain. */
export function writeWireTable(
  { v2, unions }: WireSources,
  baseline: Baseline = readBaseline(),
): string {
  const table: Record<string, unknown> = { v2: v2Table(v2, baseline) };
  for (const [surface, root] of Object.entries(unions)) {
    const shapes = new Shapes(surface, baseline);
    shapes.add(root as Schema, surface);
    table[surface] = { shapes: shapes.dated() };
  }
  return `// ${notice}\nexport const wireTable = ${JSON.stringify(table, null, 2)};\n`;
}

/**
 * Writes the part of the table of v2 that the newest version needs, so that it does not load the rest.
 *
 * `encodes` is true if a shape has a part that only older versions have; else values need no codec.
 */
export function writeNewestWire({ v2 }: WireSources, baseline: Baseline = readBaseline()): string {
  const { messages, experimental, shapes } = v2Table(v2, baseline);
  const removed = Object.keys(messages).filter((name) => messages[name]?.until !== undefined);
  const encodes = Object.entries(shapes).some(
    ([name, { until = {}, variantOnRequest }]) =>
      variantOnRequest !== undefined ||
      Object.keys(until).some((field) => !Object.hasOwn(restoredFields[name] ?? {}, field)),
  );
  const newest = { encodes, removed, experimental: Object.keys(experimental) };
  return `// ${notice}\nexport const newestWire = ${JSON.stringify(newest, null, 2)};\n`;
}

/**
 * Reads the parts without a date that every version has: `surface message`, `surface Shape.field` and
 * `surface Union#variant`. Any other part without a date is new in `current`.
 */
export function readBaseline(): ReadonlySet<string> {
  const text = readFileSync("scripts/generate/wire-baseline.txt", "utf8");
  return new Set(text.trim().split("\n"));
}

/** Returns the parts without a date of all surfaces, as lines of the baseline. */
export function undatedParts(sources: WireSources): string[] {
  const found = new Set<string>();
  const has = (part: string) => found.add(part).size > 0;
  writeWireTable(sources, { has });
  return [...found].sort();
}

function v2Table(declarations: readonly Declaration[], baseline: Baseline) {
  const shapes = new Shapes("v2", baseline);
  const results: Record<string, string> = {};
  const params: Record<string, string> = {};
  const messages: Record<string, { since?: string; until?: string }> = {};
  const locked: Record<string, string> = { ...unsupportedExperimental };
  for (const { kind, name, params: sent, result, until, experimental, ...dates } of declarations) {
    if (kind !== "method") set(params, name, shapes.add(sent as Schema, `${name}.params`));
    else if (result !== undefined) {
      set(results, name, shapes.add(result as Schema, `${name}.result`));
    }
    const since = dates.since ?? (until ? undefined : shapes.defaultDate(name));
    if (since !== undefined || until !== undefined) {
      messages[name] = { ...(since && { since }), ...(until && { until }) };
    }
    if (kind === "method") addExperimental(locked, name, sent as Schema, experimental);
  }
  const dated = shapes.dated();
  const only = (entries: Record<string, string>) =>
    Object.fromEntries(Object.entries(entries).filter(([, name]) => dated[name] !== undefined));
  return {
    messages,
    experimental: locked,
    results: only(results),
    params: only(params),
    shapes: dated,
  };
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

/** Shapes of a surface, by name. */
class Shapes {
  #surface: string;
  #baseline: Baseline;
  #shapes = new Map<string, WireShape>();

  constructor(surface: string, baseline: Baseline) {
    this.#surface = surface;
    this.#baseline = baseline;
  }

  /** Returns the date of a part without one. */
  defaultDate(part: string): string | undefined {
    return this.#baseline.has(`${this.#surface} ${part}`) ? undefined : "current";
  }

  /** Adds the shape of a schema and returns its name; undefined if it is no object. */
  add(schema: Schema, path: string): string | undefined {
    if (schema.$ref !== undefined) return schema.$ref;
    if (schema.items !== undefined) return this.add(schema.items, path);
    if (schema.anyOf !== undefined) return this.#addOnly(schema.anyOf.filter(hasParts), path);
    const name = schema.$id ?? path;
    if (this.#shapes.has(name)) return name;
    const shape: WireShape = {};
    if (schema.oneOf !== undefined && schema.discriminator !== undefined) {
      this.#shapes.set(name, shape);
      this.#addVariants(shape, name, schema.oneOf, schema.discriminator.propertyName);
    } else if (schema.properties !== undefined) {
      this.#shapes.set(name, shape);
      this.#addFields(shape, name, schema.properties);
    } else if (schema.patternProperties !== undefined) {
      this.#shapes.set(name, shape);
      const [values = {}] = Object.values(schema.patternProperties);
      const target = this.add(values, `${name}.*`);
      if (target !== undefined) shape.values = target;
    } else {
      return undefined;
    }
    return name;
  }

  /** Adds the only member of a union with parts, beside null and plain values. */
  #addOnly([member, ...others]: readonly Schema[], path: string): string | undefined {
    if (others.length > 0) throw new Error(`${path}: a union of objects needs a tag`);
    return member === undefined ? undefined : this.add(member, path);
  }

  #addFields(shape: WireShape, name: string, properties: Readonly<Record<string, Schema>>): void {
    const since: Dates = {};
    const until: Dates = {};
    const fields: Record<string, string> = {};
    for (const [field, one] of Object.entries(properties)) {
      set(until, field, one[lastVersion]);
      const isDated = one[firstVersion] !== undefined || one[lastVersion] !== undefined;
      set(since, field, isDated ? one[firstVersion] : this.defaultDate(`${name}.${field}`));
      set(fields, field, this.add(one, `${name}.${field}`));
    }
    Object.assign(shape, { fields, ...filled({ since, until }) });
  }

  #addVariants(shape: WireShape, name: string, members: readonly Schema[], tag: string): void {
    const variantSince: Dates = {};
    const variantOnRequest: Dates = {};
    const variants: Record<string, string> = {};
    for (const member of members) {
      const value = String(member.properties?.[tag]?.const);
      const since = member[firstVersion] ?? this.defaultDate(`${name}#${value}`);
      set(variantSince, value, since);
      set(variantOnRequest, value, member[onRequestVersion]);
      set(variants, value, this.add(member, `${name}.${value}`));
    }
    Object.assign(shape, { tag, variants, ...filled({ variantSince, variantOnRequest }) });
  }

  /** Returns the shapes that are dated or contain a dated one. */
  dated(): Record<string, WireShape> {
    const dated = new Set<string>();
    let size = -1;
    while (size !== dated.size) {
      size = dated.size;
      for (const [name, shape] of this.#shapes) {
        const { since, until, variantSince, variantOnRequest, fields, variants, values } = shape;
        const parts = [...Object.values({ ...fields }), ...Object.values({ ...variants })];
        const isDated = since ?? until ?? variantSince ?? variantOnRequest;
        if (isDated || [...parts, values ?? ""].some((part) => dated.has(part))) dated.add(name);
      }
    }
    const entries = [...this.#shapes].filter(([name]) => dated.has(name));
    return Object.fromEntries(entries.map(([name, shape]) => [name, prune(shape, dated)]));
  }
}

function hasParts({ $ref, items, properties, patternProperties, anyOf, oneOf }: Schema): boolean {
  return [$ref, items, properties, patternProperties, anyOf, oneOf].some(
    (one) => one !== undefined,
  );
}

function prune(
  { fields = {}, variants, ...rest }: WireShape,
  dated: ReadonlySet<string>,
): WireShape {
  const only = (entries: Record<string, string>) =>
    Object.fromEntries(Object.entries(entries).filter(([, name]) => dated.has(name)));
  return {
    ...rest,
    ...filled({ fields: only(fields) }),
    ...(variants && { variants: only(variants) }),
  };
}

/** Omits empty records. */
function filled(records: Record<string, Record<string, string>>): Partial<WireShape> {
  return Object.fromEntries(
    Object.entries(records).filter(([, record]) => Object.keys(record).length > 0),
  );
}

function set(record: Record<string, string>, key: string, value: string | undefined): void {
  if (value !== undefined) record[key] = value;
}
