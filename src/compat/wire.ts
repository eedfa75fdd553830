import { type Restored, restoredFields } from "../protocol/rpc/restored-fields.js";
import { type EraName, eraNames } from "./era.js";
import { newestWire } from "./newest-wire.generated.js";
import { wireTable } from "./wire.generated.js";

/**
 * Brings messages of v2 into the form of an era, once, where they leave.
 *
 * Drops fields, variants and notifications that the era does not have, by their dates in the schemas,
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

/** Brings the values of one tagged union into the form of an era; most are returned as they are. */
export interface UnionWire {
  /** Returns the value without the parts that the era lacks; undefined if it does not have the variant. */
  encode<Value extends object>(value: Value): Value | undefined;
  /** Parts of the shapes that the era does not have, by the name of the shape. */
  readonly absent: ReadonlyMap<string, Absent>;
}

/** Parts of a shape that an era does not have. */
export interface Absent {
  fields: readonly string[];
  /** Values of the tag of a union. */
  variants: readonly string[];
}

/** Returns the codec of v2 of an era. Eras before 0.104 had no v2 and get that of 0.104. */
export const wireOf = perEra((era) => createWire(isBefore(era, "0.104") ? "0.104" : era));

/** Returns the codec of the events of the queues (`EventMsg`) of an era. */
export const eventWireOf = perEra((era) => createUnionWire(era, wireTable.events, "EventMsg"));

/** Returns the codec of the events of `exec --json` (`ThreadEvent`) of an era. */
export const execWireOf = perEra((era) => createUnionWire(era, wireTable.exec, "ThreadEvent"));

function perEra<Made>(create: (era: EraName) => Made): (era: EraName) => Made {
  const known = new Map<EraName, Made>();
  return (era) => {
    const made = known.get(era) ?? create(era);
    known.set(era, made);
    return made;
  };
}

function createWire(era: EraName): Wire {
  if (newestWire.encodes || era !== eraNames.at(-1)) return createOlderWire(era);
  const removed = new Set(newestWire.removed);
  return {
    has: (method) => !removed.has(method),
    experimental: new Set(newestWire.experimental),
    get absent() {
      return new Codec(era, wireTable.v2).absent;
    },
    result: (_method, value) => value,
    params: (_method, value) => value,
  };
}

function createOlderWire(era: EraName): Wire {
  const { messages, experimental, results, params }: V2Table = wireTable.v2;
  const hidden = new Set(Object.keys(messages).filter((name) => isAbsent(era, messages[name])));
  const locked = Object.keys(experimental).filter(
    (name) => !isAbsent(era, { since: experimental[name] }),
  );
  const restored = era === "0.104" ? restoredFields : {};
  const codec = new Codec(era, wireTable.v2, restored);
  return {
    has: (method) => !hidden.has(method),
    experimental: new Set(locked),
    absent: codec.absent,
    result: (method, value) => codec.encode(results[method], value),
    params: <Params>(method: string, value: Params) =>
      codec.encode(params[method], value) as Params | undefined,
  };
}

function createUnionWire(era: EraName, table: Table, root: string): UnionWire {
  const codec = new Codec(era, table);
  const { tag = "", variants, variantSince, variantOnRequest } = table.shapes[root] ?? {};
  const types = Object.keys({ ...variants, ...variantSince, ...variantOnRequest });
  // Most values are deltas, which differ in no era: one lookup decides.
  const changed = new Set<unknown>(types.filter((type) => codec.changes(root, type)));
  return {
    absent: codec.absent,
    encode: <Value extends object>(value: Value) =>
      changed.has((value as Record<string, unknown>)[tag])
        ? (codec.encode(root, value) as Value | undefined)
        : value,
  };
}

/** First and last version of a part. */
interface Dates {
  since?: string | undefined;
  until?: string | undefined;
  /** First version that sends it only on request. */
  onRequest?: string | undefined;
}

type Names = Readonly<Record<string, string>>;

interface Shape {
  since?: Names;
  until?: Names;
  fields?: Names;
  values?: string;
  tag?: string;
  variants?: Names;
  variantSince?: Names;
  variantOnRequest?: Names;
}

interface Table {
  shapes: Readonly<Record<string, Shape>>;
}

interface V2Table extends Table {
  messages: Readonly<Record<string, Dates>>;
  experimental: Names;
  results: Names;
  params: Names;
}

/** Encodes values of one surface for an era. */
class Codec {
  /** Parts of the shapes that the era does not have. */
  readonly absent = new Map<string, Absent>();
  #shapes: Table["shapes"];
  #restored: Restored;
  /** Shapes that differ in the era, and those that contain one, with the parts to drop. */
  #changed = new Map<string, ReadonlySet<string>>();

  constructor(era: EraName, { shapes }: Table, restored: Restored = {}) {
    this.#shapes = shapes;
    this.#restored = restored;
    for (const [name, shape] of Object.entries(shapes)) this.#addShape(era, name, shape);
    if (this.#changed.size > 0) this.#addContainers();
  }

  #addShape(era: EraName, name: string, shape: Shape): void {
    const { since = {}, until = {}, variantSince = {}, variantOnRequest = {} } = shape;
    const isNewest = era === eraNames.at(-1); // has all that is dated by `since` alone
    if (isNewest && shape.until === undefined && shape.variantOnRequest === undefined) return;
    const fields = Object.keys({ ...since, ...until }).filter((field) =>
      isAbsent(era, { since: since[field], until: until[field] }),
    );
    const variants = Object.keys(variantSince).filter((one) =>
      isAbsent(era, { since: variantSince[one] }),
    );
    if (fields.length + variants.length > 0) this.absent.set(name, { fields, variants });
    // Fields that the codec itself restores for older eras are in no value.
    const dropped = fields.filter((field) => !Object.hasOwn(restoredFields[name] ?? {}, field));
    const requested = Object.keys(variantOnRequest).filter((one) =>
      isAbsent(era, { onRequest: variantOnRequest[one] }),
    );
    const parts = new Set([...dropped, ...variants, ...requested]);
    if (parts.size > 0 || Object.hasOwn(this.#restored, name)) this.#changed.set(name, parts);
  }

  #addContainers(): void {
    let size = -1;
    while (size !== this.#changed.size) {
      size = this.#changed.size;
      for (const [name, { fields, variants, values = "" }] of Object.entries(this.#shapes)) {
        if (this.#changed.has(name)) continue;
        const parts = [...Object.values(fields ?? {}), ...Object.values(variants ?? {}), values];
        if (parts.some((part) => this.#changed.has(part))) this.#changed.set(name, none);
      }
    }
  }

  /** Returns true if values of a variant can differ in the era. */
  changes(union: string, variant: string): boolean {
    const shape = this.#shapes[union]?.variants?.[variant] ?? "";
    return this.#changed.has(shape) || this.#changed.get(union)?.has(variant) === true;
  }

  /**
   * Returns a value in the form of the era, and the value itself if nothing differs.
   *
   * Undefined for an absent variant and for an object that contains one; arrays omit it.
   */
  encode(name: string | undefined, value: unknown): unknown {
    const dropped = name === undefined ? undefined : this.#changed.get(name);
    if (dropped === undefined || name === undefined) return value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const all = value.map((one) => this.encode(name, one)).filter((one) => one !== undefined);
      const isSame = all.length === value.length && all.every((one, at) => one === value[at]);
      return isSame ? value : all;
    }
    const { tag, variants, fields, values } = this.#shapes[name] ?? {};
    if (tag !== undefined) {
      const type = String((value as Record<string, unknown>)[tag]);
      return dropped.has(type) ? undefined : this.encode(variants?.[type], value);
    }
    const encoded: Record<string, unknown> = {};
    let isSame = true;
    for (const [field, part] of Object.entries(value)) {
      if (dropped.has(field)) {
        isSame = false;
        continue;
      }
      encoded[field] = this.encode(values ?? fields?.[field], part);
      if (encoded[field] === undefined && part !== undefined) return undefined;
      isSame &&= encoded[field] === part;
    }
    const restored = this.#restored[name];
    return isSame && restored === undefined ? value : Object.assign(encoded, restored);
  }
}

const none: ReadonlySet<string> = new Set();

function isAbsent(era: EraName, { since, until, onRequest }: Dates = {}): boolean {
  return (
    (since !== undefined && isBefore(era, since)) ||
    (until !== undefined && isBefore(until, era)) ||
    (onRequest !== undefined && !isBefore(era, onRequest))
  );
}

function isBefore(version: string, other: string): boolean {
  return eraNames.indexOf(version as EraName) < eraNames.indexOf(other as EraName);
}
