import { LoginShells, runCommand } from "../../exec/index.js";
import type { Clock } from "../../lib/clock.js";
import type { Sandbox } from "../../sandbox/index.js";

/** What is known of the user's shell; it is tried out under the policy of the command it is for. */
export function createLoginShells(
  sandbox: Sandbox,
  options: { clock: Clock; folder: string },
): LoginShells {
  return new LoginShells({
    ...options,
    async run(command, signal) {
      const launch = await sandbox.prepare(command);
      if (launch instanceof Error) return undefined;
      const { exitCode, stdout, failure } = await runCommand({ launch, graceMs }, signal);
      return exitCode === 0 && failure === undefined ? stdout : undefined;
    },
  });
}

/** Nothing is lost when it is ended, so nobody waits long for that. */
const graceMs = 100;
