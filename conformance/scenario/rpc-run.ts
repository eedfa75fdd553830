import { join } from "node:path";
import {
  checkScript,
  listenScriptedModel,
  type RecordedRequest,
} from "../../src/model/scripted/index.js";
import { CannotRun, type SuiteCase } from "../suite.js";
import { CaseBindings } from "./bindings.js";
import { anything } from "./json-difference.js";
import { RpcClient, type RpcSurface } from "./rpc-client.js";
import { prepareRpcPlace } from "./rpc-place.js";
import type { Place } from "./settings.js";

/** A case about the server while it is played. */
export interface RpcRun {
  client: RpcClient;
  bindings: CaseBindings;
  requests: readonly RecordedRequest[];
}

/** Differences between suites. */
export interface RpcRunOptions {
  surface: RpcSurface;
  /** The name of the scripted model's provider. */
  provider: string;
  /** Puts more into the place before the server starts. */
  furnish?(place: Place, bindings: CaseBindings): Promise<void>;
  /** Returns the difference, if any. */
  play(run: RpcRun): Promise<string | undefined>;
}

/** Plays a case against a dedicated server, model and folders, which end with it. */
export async function playRpcCase(
  testCase: SuiteCase,
  dir: string,
  { surface, provider, furnish, play }: RpcRunOptions,
): Promise<string | undefined> {
  const bindings = new CaseBindings(dir);
  const workspace = join(dir, "workdir");
  bindings.set("WORKDIR", workspace);
  bindings.set("WORKSPACE", workspace);
  bindings.set("CODEX_HOME", join(dir, "home"));
  bindings.set("any", anything);
  const script = checkScript(bindings.fill(testCase.model_turns ?? []));
  await using model = await listenScriptedModel({ script });
  const place = await prepareRpcPlace(testCase, dir, new URL(model.baseUrl).origin, provider);
  await furnish?.(place, bindings);
  const client = new RpcClient({ ...place, cwd: workspace }, surface);
  try {
    return await play({ client, bindings, requests: model.requests });
  } finally {
    await client.close();
  }
}

/** Compares a run with one expectation; returns the difference. */
export type RpcExpectation = (
  expected: unknown,
  run: RpcRun,
) => string | undefined | Promise<string | undefined>;

/** Compares a run with all expectations of a case; returns the first difference. */
export async function checkExpectations(
  expect: unknown,
  run: RpcRun,
  expectations: Record<string, RpcExpectation>,
): Promise<string | undefined> {
  for (const [name, expected] of Object.entries(expect ?? {})) {
    const check = Object.hasOwn(expectations, name) ? expectations[name] : undefined;
    if (check === undefined) throw new CannotRun(`unknown expectation ${name}`);
    const difference = await check(run.bindings.fill(expected), run);
    if (difference !== undefined) return `${name}: ${difference}`;
  }
  return undefined;
}
