import { userInfo } from "node:os";
import { basename } from "node:path";
import { type Config, type Environment, loadConfig } from "../config/index.js";
import { systemClock } from "../lib/clock.js";
import { createUuidSource } from "../lib/uuid.js";
import { HttpTransport } from "../model/http.js";
import { ResponsesClient } from "../model/responses-client.js";
import { readSystemInfo } from "../model/system-info.js";
import type { ModelClient, ModelProvider } from "../model/types.js";
import { originatorOf, userAgent } from "../model/user-agent.js";
import type { Era } from "../protocol/era.js";
import type { ConfigureSessionOp } from "../protocol/types.js";
import { RolloutRecorder, rolloutPath } from "../rollout/index.js";
import { createToolBox, type ToolBox, updatePlan, viewImage } from "../tools/index.js";
import type { EngineParts } from "./configure-session.js";

/** Where the engine runs and as what. */
export interface LocalOptions {
  env: Environment;
  cwd: string;
  era: Era;
}

/** The parts of an engine that works on this machine for this user. */
export function createLocalParts({ env, cwd, era }: LocalOptions): EngineParts {
  const originator = originatorOf(env);
  const clock = systemClock;
  return {
    era,
    clock,
    originator,
    newId: createUuidSource(clock.now),
    shell: userShell(),
    loadConfig: (op) => loadConfig({ env, cwd: op.cwd ?? cwd, overrides: overridesOf(op) }),
    openLog(meta, { home, onFailure }) {
      const path = rolloutPath(home, new Date(clock.now()), meta.id);
      const log = new RolloutRecorder({ path, now: clock.now, onFailure });
      log.append({ type: "session_meta", payload: meta });
      return log;
    },
    createModel: (provider) => createModel(provider, { env, era, originator }),
    createTools: (config) => createTools(config),
  };
}

async function createModel(
  provider: ModelProvider,
  { env, era, originator }: { env: Environment; era: Era; originator: string },
): Promise<ModelClient> {
  const system = await readSystemInfo();
  const version = era.compatibleWith;
  return new ResponsesClient({
    provider,
    dialect: era.model,
    transport: new HttpTransport(env),
    originator,
    userAgent: userAgent({ originator, version, system, env }),
    env,
    clock: systemClock,
    random: Math.random,
  });
}

function createTools(config: Config): ToolBox {
  return createToolBox([
    { tool: updatePlan, offeredIn: () => config.include_plan_tool },
    { tool: viewImage },
  ]);
}

/** What of the op names something in the config; its plain settings win over the config anyway. */
function overridesOf({ config, model_provider }: ConfigureSessionOp): Record<string, unknown> {
  return { ...config, ...(model_provider === undefined ? {} : { model_provider }) };
}

/** Only shells whose syntax the engine knows are told to the model. */
function userShell(): string | undefined {
  try {
    const name = basename(userInfo().shell ?? "");
    return knownShells.has(name) ? name : undefined;
  } catch {
    // A user without an entry in the password file has no shell.
    return undefined;
  }
}

const knownShells: ReadonlySet<string> = new Set(["bash", "zsh"]);
