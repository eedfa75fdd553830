import type { EraName } from "./era.js";
import { wireTable } from "./wire.generated.js";

/**
 * Brings messages of v2 into the form of an era, once, where they leave.
 *
 * Drops fields, variants and notifications that the era does not have yet, by their dates in the schemas,
 * and restores fields that later versions removed.
 * For `current` it returns each value as it is.
 */
export interface Wire {
  /** False if the era does not have the method or notification. */
  has(method: string): boolean;
  /** Returns the result of a method. */
  result(method: string, value: unknown): unknown;
  /** Returns the params of a notification or server request; undefined if the era cannot have it. */
  params<Params>(method: string, params: Params): Params | undefined;
  /** Methods, and params as `method.param`, that are experimental in the era. */
  readonly experimental: ReadonlySet<string>;
  /** Parts of the shapes that the era does not have, by the name of the shape. */
  readonly absent: ReadonlyMap<string, Absent>;
}

/** Parts of a shape that an era does not have. */
export interface Absent {
  fields: readonly string[];
  /** Values of the tag of a union. */
  variants: readonly string[];
}

/** Returns the codec of an era. */
export function wireOf(era: EraName): Wire {
  const known = wires.get(era);
  if (known !== undefined) return known;
  const wire = createWire(era);
  wires.set(era, wire);
  return wire;
}

const wires = new Map<EraName, Wire>();

function createWire(era: EraName): Wire {
  const version = era === "current" || era === "0.166" ? era : "0.104"; // the first with v2
  const isAbsent = ({ since, until }: Dates) =>
    (since !== undefined && versions.indexOf(version) < versions.indexOf(since)) ||
    (until !== undefined && versions.indexOf(version) > versions.indexOf(until));
  const hidden = new Set(
    Object.entries(table.messages)
      .filter(([, dates]) => isAbsent(dates))
      .map(([name]) => name),
  );
  const experimental = new Set(
    Object.entries(table.experimental)
      .filter(([, since]) => !isAbsent({ since }))
      .map(([name]) => name),
  );
  const has = (method: string) => !hidden.has(method);
  const absent = absentParts(isAbsent);
  const changes: Changes = {
    dropped: absentParts(({ since }) => since !== undefined && isAbsent({ since })),
    restored: version === "0.104" ? restoredFields : {},
    shapes: new Set(),
  };
  const own = [...changes.dropped.keys(), ...Object.keys(changes.restored)];
  if (own.length === 0) {
    return {
      has,
      experimental,
      absent,
      result: (_method, value) => value,
      params: (_method, params) => params,
    };
  }
  changes.shapes = withContainers(own);
  const encode = (shape: string | undefined, value: unknown) =>
    shape === undefined ? value : encodeShape(shape, value, changes);
  return {
    has,
    experimental,
    absent,
    result: (method, value) => encode(table.results[method], value),
    params: <Params>(method: string, params: Params) =>
      encode(table.params[method], params) as Params | undefined,
  };
}

/** Fields that 0.104 requires and later versions removed: files could be read without limits. */
const restoredFields: Changes["restored"] = {
  ReadOnly: { access: { type: "fullAccess" } },
  WorkspaceWrite: { readOnlyAccess: { type: "fullAccess" } },
};

/** Differences of an era from our newest form, by the name of the shape. */
interface Changes {
  dropped: ReadonlyMap<string, Absent>;
  restored: Readonly<Record<string, object>>;
  /** Shapes with a difference, and those that contain one. */
  shapes: ReadonlySet<string>;
}

/** Versions with v2, oldest first. */
const versions = ["0.104", "0.166", "current"];

interface Dates {
  since?: string;
  until?: string;
}

interface Shape {
  since?: Readonly<Record<string, string>>;
  until?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  values?: string;
  tag?: string;
  variants?: Readonly<Record<string, string>>;
  variantSince?: Readonly<Record<string, string>>;
}

const table: {
  messages: Readonly<Record<string, Dates>>;
  experimental: Readonly<Record<string, string>>;
  results: Readonly<Record<string, string>>;
  params: Readonly<Record<string, string>>;
  shapes: Readonly<Record<string, Shape>>;
} = wireTable;

function absentParts(isAbsent: (dates: Dates) => boolean): Map<string, Absent> {
  const absent = new Map<string, Absent>();
  for (const [name, { since = {}, until = {}, variantSince = {} }] of Object.entries(
    table.shapes,
  )) {
    const fields = [
      ...Object.keys(since).filter((field) => isAbsent(dates(since[field]))),
      ...Object.keys(until).filter((field) => isAbsent(dates(undefined, until[field]))),
    ];
    const variants = Object.keys(variantSince).filter((one) => isAbsent(dates(variantSince[one])));
    if (fields.length + variants.length > 0) absent.set(name, { fields, variants });
  }
  return absent;
}

function dates(since: string | undefined, until?: string): Dates {
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

/** Adds the names of all shapes that contain one of these. */
function withContainers(names: readonly string[]): Set<string> {
  const found = new Set(names);
  let size = 0;
  while (size !== found.size) {
    size = found.size;
    for (const [name, { fields, variants, values = "" }] of Object.entries(table.shapes)) {
      const parts = [...Object.values(fields ?? {}), ...Object.values(variants ?? {}), values];
      if (parts.some((part) => found.has(part))) found.add(name);
    }
  }
  return found;
}

/** Returns undefined for an absent variant and for an object that contains one; arrays omit it. */
function encodeShape(name: string, value: unknown, changes: Changes): unknown {
  if (!changes.shapes.has(name) || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((one) => encodeShape(name, one, changes)).filter((one) => one !== undefined);
  }
  const { tag, variants, fields, values } = table.shapes[name] ?? {};
  const dropped = changes.dropped.get(name);
  if (tag !== undefined) {
    const type = String((value as Record<string, unknown>)[tag]);
    if (dropped?.variants.includes(type)) return undefined;
    const variant = variants?.[type];
    return variant === undefined ? value : encodeShape(variant, value, changes);
  }
  const encoded: Record<string, unknown> = {};
  for (const [field, part] of Object.entries(value)) {
    if (dropped?.fields.includes(field)) continue;
    const shape = values ?? fields?.[field];
    encoded[field] = shape === undefined ? part : encodeShape(shape, part, changes);
    if (encoded[field] === undefined && part !== undefined) return undefined;
  }
  return Object.assign(encoded, changes.restored[name]);
}
