import { type Config, withSandboxPolicy } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import type { CommandExecParams } from "../../protocol/rpc/v2/command-exec.js";
import type { Connection } from "../connection.js";
import { invalid, refused } from "./live-commands.js";
import { assertOnlyProfile, toEnginePolicy } from "./policy.js";

/** Returns the settings with the permissions that the params select. */
export async function configOf(
  { permissionProfile, sandboxPolicy }: CommandExecParams,
  { server: { parts } }: Connection,
): Promise<Config> {
  assertOnlyProfile({ permissionProfile }, { sandboxPolicy });
  const op = { type: "configure_session" } as const;
  if (permissionProfile !== undefined) {
    const profile = { active_permission_profile: { id: permissionProfile } };
    const config = await parts.loadConfig({ ...op, ...profile }).catch((error: unknown) => {
      throw refused(`invalid permission profile: ${errorText(error)}`);
    });
    const { permissions, requirements } = config;
    requirements?.assertSelected(permissionProfile, permissions?.id, "invalid permission profile");
    return config;
  }
  const config = await parts.loadConfig(op);
  if (sandboxPolicy === undefined) return config;
  const policy = toEnginePolicy(sandboxPolicy);
  config.requirements?.assertAllowed({ sandbox_policy: policy }, "invalid sandbox policy");
  return withSandboxPolicy(config, policy);
}

/** Throws if params contradict each other. */
export function assertConsistent(params: CommandExecParams): void {
  const { command, processId, tty, streamStdin, streamStdoutStderr, timeoutMs } = params;
  if (command.length === 0) throw refused("command must not be empty");
  if ((tty || streamStdin || streamStdoutStderr) && processId === undefined) {
    throw refused("command/exec tty or streaming requires a client-supplied processId");
  }
  if (params.outputBytesCap !== undefined && params.disableOutputCap) {
    throw invalid("command/exec cannot set both outputBytesCap and disableOutputCap");
  }
  if (timeoutMs !== undefined && params.disableTimeout) {
    throw invalid("command/exec cannot set both timeoutMs and disableTimeout");
  }
  if (timeoutMs !== undefined && timeoutMs < 0) {
    throw invalid(`command/exec timeoutMs must be non-negative, got ${timeoutMs}`);
  }
  if (params.size !== undefined && !tty) throw invalid("command/exec size requires tty: true");
}
