import { dirname } from "node:path";
import { placeOf } from "../check/report.js";
import { fileShape } from "../check/shape.generated.js";
import type { Shape } from "../check/shape.js";
import { writeKey } from "../toml/key.js";
import { newTable, type Table, valueAt } from "../toml/table.js";
import { type ConfigLayer, fileOf, mergeTables } from "./layer.js";
import { limitProject, type Refused } from "./limit-project.js";
import { type PathBase, prepareValues } from "./prepare.js";
import type { Profile, ProfileLayer } from "./profile.js";
import { readTextIfThere } from "./read-file.js";
import type { ReadLayers } from "./read-layers.js";

/** A layer with its effective values. */
export interface EffectiveLayer {
  layer: ConfigLayer;
  /** Values with absolute paths and current key names, without keys that a project may not set. */
  values: Table;
  /** Prefix of its paths in its file, for the table of a profile. */
  prefix: readonly string[];
}

/** Options for `toEffectiveLayers`. */
interface EffectiveOptions {
  cwd: string;
  userHome: string;
  projectProfiles: boolean;
  /** Sandbox mode nearest to the user's permission profile. */
  ownMode?: string | undefined;
}

/** Returns the effective layers in ascending precedence, including those of the profile. */
export function toEffectiveLayers(
  read: ReadLayers,
  profile: Profile | undefined,
  options: EffectiveOptions,
): { layers: EffectiveLayer[]; warnings: string[] } {
  const { cwd, userHome, projectProfiles } = options;
  const layers: EffectiveLayer[] = [];
  const warnings: string[] = [];
  const { ownMode = modeOfProfile(read.ownValues.default_permissions) } = options;
  const ownValues = { ...read.ownValues, ...(ownMode && { sandbox_mode: ownMode }) };
  let above = newTable();
  for (const { layer, prefix } of orderedLayers(read, profile)) {
    const file = fileOf(layer.source);
    const base: PathBase = { folder: file === undefined ? cwd : dirname(file), userHome };
    const values = prepareValues(
      layer.values,
      prefix.length === 0 ? fileShape : profileShape,
      base,
    );
    if (layer.source.type !== "project") {
      layers.push({ layer, values, prefix });
      continue;
    }
    const limits = { top: read.projectTop ?? cwd, ownValues, above };
    const own = projectProfiles ? withoutProfiles(values) : values;
    const limited = limitProject(withoutPermissions(own), fileShape, limits);
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
  if (looserThan === undefined) return `a project cannot set \`${key}\` to this value; ignored`;
  const [theirs, own] = [value, looserThan].map((one) => JSON.stringify(one));
  return `\`${key}\` = ${theirs} is ignored: a project can only set a stricter value than yours, ${own}`;
}

/** Returns the position of the winning value as `file:line`. */
export function placeOfWinner(layers: readonly EffectiveLayer[], path: readonly string[]): string {
  const winner = layers.findLast(({ values }) => valueAt(values, path) !== undefined);
  return winner === undefined ? "config" : placeIn(winner.layer, [...winner.prefix, ...path]);
}

/** Returns the position of a key of a layer as `file:line`. */
export function placeIn(layer: ConfigLayer, path: readonly string[]): string {
  const file = fileOf(layer.source);
  if (file === undefined) return "settings of the session";
  const text = readTextIfThere(file);
  return placeOf(path, text === undefined ? { name: file } : { name: file, text });
}

/** Removes profile keys of projects, which were read with the profiles. */
function withoutProfiles({ profile: _name, profiles: _tables, ...values }: Table): Table {
  return values;
}

/** Sandbox modes of the built-in permission profiles. */
const builtInModes: ReadonlyMap<unknown, string> = new Map([
  [":read-only", "read-only"],
  [":workspace", "workspace-write"],
  [":danger-full-access", "danger-full-access"],
]);

/** Returns the sandbox mode of a permission profile; for one of the user's own, the strictest. */
function modeOfProfile(name: unknown): string | undefined {
  return name === undefined ? undefined : (builtInModes.get(name) ?? "read-only");
}

/**
 * Replaces a built-in permission profile of a project by its sandbox mode, and removes its other
 * profiles: they are applied to the user's permissions separately.
 */
function withoutPermissions(values: Table): Table {
  const { default_permissions: name, permissions: _, ...others } = values;
  const mode = builtInModes.get(name);
  return mode === undefined ? others : { ...others, sandbox_mode: mode };
}

const profileShape: Shape = fileShape.keys?.profiles?.entries ?? {};

/**
 * Returns the layers in ascending precedence, as in their files, without disabled ones.
 *
 * The profile also overrides files of a project, as the user selects it for this session.
 */
export function orderedLayers(
  { layers }: Pick<ReadLayers, "layers">,
  profile: Profile | undefined,
): ProfileLayer[] {
  const counting = layers.filter((layer) => layer.disabledReason === undefined);
  const place = counting.findIndex(({ source }) => strongest.has(source.type));
  const end = place === -1 ? counting.length : place;
  const plain = counting.map((layer) => ({ layer, prefix: [] }));
  return [...plain.slice(0, end), ...(profile?.layers ?? []), ...plain.slice(end)];
}

const strongest: ReadonlySet<string> = new Set(["sessionFlags", "legacyManagedConfigTomlFromFile"]);

/** Returns the layers as in their files; for projects only the keys that a project may set. */
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
