import type { Declaration } from "../../../src/protocol/rpc/declare.js";
import { resources as v1 } from "../../../src/protocol/rpc/v1/resources.generated.js";
import { resources as v2 } from "../../../src/protocol/rpc/v2/resources.generated.js";

/** All declared messages by surface. */
export const declarations = { v1: declared(v1), v2: declared(v2) };

function declared(resources: Readonly<Record<string, object>>): Declaration[] {
  const values = Object.values(resources).flatMap((module) => Object.values(module) as unknown[]);
  return values.filter(Array.isArray).flat() as Declaration[];
}
