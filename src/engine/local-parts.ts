import { basename } from "node:path";
import { userInfo } from "node:os";
import { type Config, type Environment, loadConfig } from "../config/index.js";
import { systemClock } from "../lib/clock.js";
import { createUuidSource } from "../lib/uuid.js";
import { createResponsesClient } from "../model/index.js";
import type { Era } from "../protocol/era.js";
import type { ConfigureSessionOp } from "../protocol/types.js";
import { RolloutRecorder, rolloutPath } from "../rollout/index.js";
import { updatePlan } from "../tools/index.js";
import type { EngineParts } from "./configure-session.js";
import { readGitInfo } from "./git-info.js";

/** Where the engine runs and as what. */
export interface LocalOptions {
  env: Environment;
  cwd: string;
  era: Era;
}
