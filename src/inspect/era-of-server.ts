import type { EraName } from "../compat/index.js";
import { isRecord } from "../protocol/read/check.js";

/** Era of a server, and the fact that it was derived from. */
export interface DetectedEra {
  name: EraName;
  from: string;
}

/** Eras of the reference by minor version, oldest first. */
const released = [
  [39, "0.39"],
  [42, "0.42"],
  [45, "0.45"],
  [104, "0.104"],
  [166, "0.166"],
] as const satisfies readonly (readonly [number, EraName])[];

/**
 * Derives the era of a server from its answer to `initialize`; undefined if it states no version.
 *
 * A version between two eras gets the nearer one.
 */
export function eraOfServer(result: unknown): DetectedEra | undefined {
  if (!isRecord(result)) return undefined;
  const { userAgent, serverInfo } = result;
  const server = isRecord(serverInfo) ? serverInfo : {};
  if (server.name === "quire") {
    return { name: "current", from: `the server ${server.name} ${String(server.version ?? "")}` };
  }
  const agent = userAgent ?? server.user_agent;
  const [, version] = /\/(0\.\d+\.\d+[\w.-]*)/.exec(typeof agent === "string" ? agent : "") ?? [];
  const stated = version ?? (typeof server.version === "string" ? server.version : undefined);
  const [, minor] = /^0\.(\d+)\./.exec(stated ?? "") ?? [];
  if (minor === undefined) return undefined;
  return { name: nearestEra(Number(minor)), from: `the version ${stated}` };
}

function nearestEra(minor: number): EraName {
  const [first, ...later] = released;
  let best: readonly [number, EraName] = first;
  for (const one of later) {
    if (Math.abs(one[0] - minor) < Math.abs(best[0] - minor)) best = one;
  }
  return best[1];
}
