// A program for tests: `quire sandbox` with a policy from the environment in place of a config.
import { runSandbox } from "../../../src/cli/commands/sandbox.js";

const { stdin, stdout, stderr, env } = process;
const io = { cwd: process.cwd(), env, stdin, stdout, stderr };
process.exitCode = await runSandbox(process.argv.slice(2), io, async ({ fullAuto, overrides }) => ({
  policy: fullAuto
    ? { mode: "workspace-write", exclude_slash_tmp: true }
    : overrides.includes('sandbox_mode="danger-full-access"')
      ? { mode: "danger-full-access" }
      : { mode: "read-only" },
  environment: {},
  agentHome: env.AGENT_HOME ?? "",
}));
