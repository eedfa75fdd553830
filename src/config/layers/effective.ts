import { dirname } from "node:path";
import { placeOf } from "../check/report.js";
import { fileShape } from "../check/shape.generated.js";
import type { Shape } from "../check/shape.js";
import { writeKey } from "../toml/key.js";
import { newTable, type Table, valueAt } from "../toml/table.js";
import { type ConfigLayer, fileOf, mergeTables } from "./layer.js";
import { limitProject, type Refused } from "./limit-project.js";
import { type PathBase, prepareValues, sandboxOfProfile } from "./prepare.js";
import type { Profile, ProfileLayer } from "./profile.js";
import { readTextIfThere } from "./read-file.js";
import type { ReadLayers } from "./read-layers.js";

/** A layer with the part of it that counts. */
export interface EffectiveLayer {
  layer: ConfigLayer;
  /** Paths are absolute, older names gone, and what a project may not set left out. */
  values: Table;
  /** What stands before its paths in its file, for the table of a profile. */
  prefix: readonly string[];
}

/** The layers that count from the weakest to the strongest, the profile's included. */
export function toEffectiveLayers(
  read: ReadLayers,
  profile: Profile | undefined,
  options: { cwd: string; userHome: string; projectProfiles: boolean },
): { layers: EffectiveLayer[]; warnings: string[] } {
  const { cwd, userHome, projectProfiles } = options;
  const layers: EffectiveLayer[] = [];
  const warnings: string[] = [];
  const { permissions, default_permissions: chosen } = read.ownValues;
  const ownValues = { ...read.ownValues, ...sandboxOfProfile(chosen, permissions) };
  let above = newTable();
  for (const { layer, prefix } of withProfile(read, profile)) {
    const file = fileOf(layer.source);
    const base: PathBase = { folder: file === undefined ? cwd : dirname(file), userHome };
    const values = prepareValues(
      layer.values,
      prefix.length === 0 ? fileShape : profileShape,
      base,
      permissions,
    );
    if (layer.source.type !== "project") {
      layers.push({ layer, values, prefix });
      continue;
    }
    const limits = { top: read.projectTop ?? cwd, ownValues, above };
    const own = projectProfiles ? withoutProfiles(values) : values;
    const limited = limitProject(own, fileShape, limits);
    above = mergeTables([above, limited.values]);
    layers.push({ layer, values: limited.values, prefix });
    for (const refused of limited.refused) {
      warnings.push(`${placeIn(layer, refused.path)}: ${whyRefused(refused)}`);
    }
  }
  return { layers, warnings };
}

function whyRefused({ path, value, looserThan }: Refused): string {
  const key = writeKey(path);
  if (looserThan === undefined) return `a project cannot set \`${key}\` so; it does not count`;
  const [theirs, own] = [value, looserThan].map((one) => JSON.stringify(one));
  return `\`${key}\` = ${theirs} does not count: a project can only set it stricter than yours, ${own}`;
}

/** Where the setting that won stands, as `file:line`. */
export function placeOfWinner(layers: readonly EffectiveLayer[], path: readonly string[]): string {
  const winner = layers.findLast(({ values }) => valueAt(values, path) !== undefined);
  return winner === undefined ? "config" : placeIn(winner.layer, [...winner.prefix, ...path]);
}

function placeIn(layer: ConfigLayer, path: readonly string[]): string {
  const file = fileOf(layer.source);
  if (file === undefined) return "settings of the session";
  const text = readTextIfThere(file);
  return placeOf(path, text === undefined ? { name: file } : { name: file, text });
}

/** What a project says of profiles was read with them. */
function withoutProfiles({ profile: _name, profiles: _tables, ...values }: Table): Table {
  return values;
}

const profileShape: Shape = fileShape.keys?.profiles?.entries ?? {};

/** A profile is chosen by the user for this session, so it wins over files of a project too. */
function withProfile({ layers }: ReadLayers, profile: Profile | undefined): ProfileLayer[] {
  const counting = layers.filter((layer) => layer.disabledReason === undefined);
  const place = counting.findIndex(({ source }) => strongest.has(source.type));
  const end = place === -1 ? counting.length : place;
  const plain = counting.map((layer) => ({ layer, prefix: [] }));
  return [...plain.slice(0, end), ...(profile?.layers ?? []), ...plain.slice(end)];
}

const strongest: ReadonlySet<string> = new Set(["sessionFlags", "legacyManagedConfigTomlFromFile"]);

/**
 * The layers as users are shown them: as they stand in their files, but of a project's only what a
 * project may set, since the rest has no effect.
 */
export function shownLayers(
  read: ReadLayers,
  places: { cwd: string; userHome: string },
): ConfigLayer[] {
  const { layers } = toEffectiveLayers(read, undefined, { ...places, projectProfiles: false });
  return read.layers.map((layer) => {
    const effective = layers.find((one) => one.layer === layer);
    if (layer.source.type !== "project" || effective === undefined) return layer;
    return { ...layer, values: effective.values };
  });
}
