import { relative } from "node:path";
import type { Era, ExecBehavior } from "../../compat/index.js";
import type {
  CommandStart,
  ExecSessions,
  OutputCut,
  OutputLimit,
  TerminalHost,
} from "../../exec/index.js";
import type { OpenBuffers } from "../../patch/index.js";
import type { EnforcedPolicy, Sandbox } from "../../sandbox/index.js";
import type { ExecRules, PatchedPath } from "../../shell/index.js";
import type { ToolTurn } from "../tool.js";

/** Services shared by the tools of a session that run commands or change files. */
export interface ExecServices {
  /** How commands behave in the era. */
  behavior: ExecBehavior;
  /** True for the era of the session and all earlier ones. */
  since: Era["since"];
  /** The sandbox that commands run in. */
  sandbox: Sandbox;
  /** Returns the rules; reads those of the user again if they have changed. Undefined: no support. */
  rules(): Promise<ExecRules | undefined>;
  /** File for rules that the user has accepted. */
  rulesFile: string;
  /** Returns the editor that has the files open, if there is one. */
  buffers(): OpenBuffers | undefined;
  /** Returns the editor that runs commands in its terminals, if there is one. */
  terminals(): TerminalHost | undefined;
  /** Commands that the user has approved for the session. */
  approved: ApprovedCommands;
  /** Files whose changes the user has approved for the session. */
  approvedPaths: ApprovedPaths;
  /** The environment of commands under a policy. */
  environment(policy: EnforcedPolicy): Record<string, string>;
  /** Limits of the output that the model gets. */
  cut: OutputCut;
  /** Maximum output for the model in newer tools. */
  outputLimit: OutputLimit;
  /** Processes that keep running between calls. */
  sessions: ExecSessions;
  /** The command line that runs a script in the user's shell, or in the one named. */
  shellArgv(script: string, options: { login: boolean; shell?: string }): string[];
  /** Returns the command line to start for one of the model; events show the original. */
  toLaunch(argv: readonly string[]): readonly string[];
  /** Returns an equivalent, faster start of a command. */
  toStart(command: CommandStart): Pick<CommandStart, "argv" | "env">;
  /** Emits a warning about the session. */
  warn(message: string): void;
  /** Returns whether git in a folder might start programs that the repository's settings name. */
  namesPrograms(cwd: string): boolean;
}

/** Returns the host of a command of the model and the call it runs for; undefined without one. */
export function hostingOf({ terminals }: ExecServices, callId: string) {
  const host = terminals();
  return host && { host, callId };
}

/** Returns the policy of a permitted command. Outside of the sandbox, what a permission profile denies stays denied. */
export async function policyOf(
  { sandbox_policy }: Pick<ToolTurn, "sandbox_policy">,
  { sandboxed }: { sandboxed: boolean },
): Promise<EnforcedPolicy> {
  if (sandboxed) return sandbox_policy;
  if (sandbox_policy.rules === undefined) return { mode: "danger-full-access" };
  const { rulesOutside } = await import("../../protocol/rules-of-policy.js");
  const rules = rulesOutside(sandbox_policy.rules);
  return { mode: "danger-full-access", ...(rules && { rules }) };
}

/**
 * Commands approved for the rest of the session, by exact arguments and working directory:
 * `./build.sh` is another program in another folder.
 */
export class ApprovedCommands {
  #commands = new Set<string>();

  /** Remembers a command that the user has approved for the session. */
  add(argv: readonly string[], cwd: string): void {
    this.#commands.add(JSON.stringify([cwd, ...argv]));
  }

  /** Returns true if the user has approved the command for the session. */
  has(argv: readonly string[], cwd: string): boolean {
    return this.#commands.has(JSON.stringify([cwd, ...argv]));
  }
}

/** The files and folders that the user lets patches change for the rest of the session. */
export class ApprovedPaths {
  #files = new Set<string>();
  #roots: string[] = [];

  /** Remembers the files of a patch, or everything below a folder when that was asked for. */
  add(paths: readonly PatchedPath[], root: string | undefined): void {
    if (root !== undefined) this.#roots.push(root);
    for (const path of paths.flatMap(bothEnds)) this.#files.add(path);
  }

  /** Returns true if the user has approved changes of all these files for the session. */
  haveAll(paths: readonly PatchedPath[]): boolean {
    return paths.flatMap(bothEnds).every((path) => this.#has(path));
  }

  #has(path: string): boolean {
    return this.#files.has(path) || this.#roots.some((root) => isBelow(path, root));
  }
}

function bothEnds({ path, moveTo }: PatchedPath): string[] {
  return moveTo === undefined ? [path] : [path, moveTo];
}

function isBelow(path: string, root: string): boolean {
  const rest = relative(root, path);
  return rest !== "" && !rest.startsWith("..") && !rest.startsWith("/");
}
