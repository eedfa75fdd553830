import type { ExecBehavior } from "../../compat/index.js";
import type { CommandStart, ExecSessions, OutputCut, OutputLimit } from "../../exec/index.js";
import type { EnforcedPolicy, Sandbox } from "../../sandbox/index.js";
import type { ExecRules } from "../../shell/index.js";
import type { ApprovedPaths } from "../patch/approved-paths.js";
import type { ApprovedCommands } from "./approved-commands.js";

/** What tools that run commands or change files share in a session. */
export interface ExecServices {
  dialect: ExecBehavior;
  sandbox: Sandbox;
  /** The user's rules; read anew when they change. */
  rules(): Promise<ExecRules>;
  /** Where rules that the user agrees to are added. */
  rulesFile: string;
  approved: ApprovedCommands;
  approvedPaths: ApprovedPaths;
  /** The environment of commands under a policy. */
  environment(policy: EnforcedPolicy): Record<string, string>;
  cut: OutputCut;
  /** How much of a command's output newer tools show the model. */
  outputLimit: OutputLimit;
  /** Processes that go on between calls. */
  sessions: ExecSessions;
  /** The command line that runs a script in the user's shell, or in the one named. */
  shellArgv(script: string, options: { login: boolean; shell?: string }): string[];
  /** The command line that is started for one of the model's, which clients are not told of. */
  toLaunch(argv: readonly string[]): readonly string[];
  /** What is started in place of a command, to the same effect. */
  toStart(command: CommandStart): Pick<CommandStart, "argv" | "env">;
  /** Says something about the session that the user should know. */
  warn(message: string): void;
  /** Returns whether git in a folder might start programs that the repository's settings name. */
  namesPrograms(cwd: string): boolean;
}
