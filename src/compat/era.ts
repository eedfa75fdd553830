import { CodexError } from "../protocol/error.js";
import { type Behaviors, currentBehaviors, type Delta } from "./behavior/index.js";
import { since42, since45, since104, since166 } from "./deltas.js";
import { sinceCurrent } from "./deviations.js";

/**
 * Differences between the versions of the reference, newest first.
 *
 * Code reads a named switch (`era.model.catalogue`), or `era.since["0.166"]` for a difference that
 * one version made in one place; it never compares the name of the era.
 */
export interface Era extends Behaviors {
  /** The name of the era, such as `0.104`. */
  name: EraName;
  /** True for the version of the era and all earlier ones. */
  since: Readonly<Record<EraName, boolean>>;
  /** Version of the reference that `User-Agent` and rollouts state. */
  compatibleWith: string;
  /** Version whose defaults the settings have, by month. */
  config: "2025-09" | "2025-10" | "2026-02" | "2026-11" | "current";
}

/** Names of all eras, oldest first. */
export const eraNames = ["0.39", "0.42", "0.45", "0.104", "0.166", "current"] as const;

/** Versions that a surface can be asked to speak like; `current` is our own newest form. */
export type EraName = (typeof eraNames)[number];

const current: Era = {
  name: "current",
  since: sinceOf("current"),
  compatibleWith: "0.166.0",
  config: "current",
  ...currentBehaviors,
};
const era166 = older(current, { name: "0.166", config: "2026-11" }, sinceCurrent);
const era104 = older(era166, { name: "0.104", config: "2026-02" }, since166);
const era45 = older(era104, { name: "0.45", config: "2025-10" }, since104);
const era42 = older(era45, { name: "0.42", config: "2025-10" }, since45);
const era39 = older(era42, { name: "0.39", config: "2025-09" }, since42);

const eras: Record<EraName, Era> = {
  "0.39": era39,
  "0.42": era42,
  "0.45": era45,
  "0.104": era104,
  "0.166": era166,
  current,
};

function older(successor: Era, identity: Pick<Era, "name" | "config">, delta: Delta): Era {
  return {
    ...identity,
    since: sinceOf(identity.name),
    compatibleWith: `${identity.name}.0`,
    model: { ...successor.model, ...delta.model },
    engine: { ...successor.engine, ...delta.engine },
    exec: { ...successor.exec, ...delta.exec },
    tools: { ...successor.tools, ...delta.tools },
    execJson: { ...successor.execJson, ...delta.execJson },
    mcp: { ...successor.mcp, ...delta.mcp },
    events: { ...successor.events, ...delta.events },
    rpc: { ...successor.rpc, ...delta.rpc },
    v2: { ...successor.v2, ...delta.v2 },
  };
}

function sinceOf(name: EraName): Era["since"] {
  const own = eraNames.indexOf(name);
  return Object.fromEntries(eraNames.map((one, index) => [one, index <= own])) as Era["since"];
}

/** Returns an era as it is spoken over JSON-RPC, which differs from the queues in some switches. */
export function rpcEra(era: Era): Era {
  const { model, exec } = era;
  return { ...era, model: { ...model, ...model.onRpc }, exec: { ...exec, ...exec.onRpc } };
}

/** Returns the era of that name, or undefined if there is none. */
export function eraNamed(name: string): Era | undefined {
  return Object.hasOwn(eras, name) ? eras[name as EraName] : undefined;
}

/**
 * Returns the era that a caller names; throws a `CodexError` if there is no such era.
 *
 * The program passes an `Era` if it claims a version other than the version of the era.
 */
export function eraOf(name: string | Era = "current"): Era {
  if (typeof name !== "string") return name;
  const era = eraNamed(name);
  if (era !== undefined) return era;
  const known = eraNames.map((one) => JSON.stringify(one)).join(", ");
  throw new CodexError(
    "invalid_request",
    `Expected \`era\` to be one of ${known} (got ${JSON.stringify(name)})`,
  );
}
