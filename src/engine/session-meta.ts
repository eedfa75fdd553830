import type { Config } from "../config/index.js";
import { readGitInfo } from "../project/index.js";
import type { DynamicTool, SessionMetaLine } from "../protocol/types.js";
import type { EngineParts } from "./engine-parts.js";

/** What the first line of a log tells besides what all conversations of a program share. */
export interface MetaParts {
  id: string;
  config: Config;
  instructions: string | undefined;
  dynamicTools: readonly DynamicTool[];
}

/** The first line of the log of a conversation that begins now. */
export function sessionMeta(
  { id, config, instructions, dynamicTools }: MetaParts,
  { originator, source, era, clock }: Pick<EngineParts, "originator" | "source" | "era" | "clock">,
): SessionMetaLine {
  const git = readGitInfo(config.cwd);
  return {
    id,
    timestamp: new Date(clock.now()).toISOString(),
    cwd: config.cwd,
    originator,
    cli_version: era.compatibleWith,
    instructions: instructions ?? null,
    ...(era.engine.logsTasks ? { source, model_provider: config.provider.id } : {}),
    ...(git === undefined ? {} : { git }),
    ...(dynamicTools.length === 0 ? {} : { dynamic_tools: [...dynamicTools] }),
  };
}
