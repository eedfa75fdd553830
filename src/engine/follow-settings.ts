import { assertEnforceable } from "../config/index.js";
import type { ConfigureSessionOp } from "../protocol/types.js";
import type { EngineParts } from "./engine-parts.js";
import type { Session } from "./session.js";

/** Something that goes on with settings that have changed. */
export interface SettingsFollower {
  /** Reads the settings as they are now; throws what is wrong. What is returned goes on with them. */
  prepare(): Promise<() => void>;
}

/**
 * A session goes on with the MCP servers and the skills that its settings name by now.
 *
 * What a client chose for it, such as the model, stays. A turn that runs keeps its servers.
 */
export function followSettings(
  session: Session,
  op: ConfigureSessionOp,
  parts: EngineParts,
): SettingsFollower {
  return {
    async prepare() {
      const config = await parts.loadConfig({ ...op, cwd: session.config.cwd });
      assertEnforceable(config);
      const takeUpServers = await session.parts.mcp.prepare(config);
      return () => {
        session.parts.skills = parts.createSkills(config);
        session.current.whenIdle(takeUpServers);
      };
    },
  };
}
