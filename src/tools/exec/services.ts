import { relative } from "node:path";
import type { ExecBehavior } from "../../compat/index.js";
import type { CommandStart, ExecSessions, OutputCut, OutputLimit } from "../../exec/index.js";
import type { EnforcedPolicy, Sandbox } from "../../sandbox/index.js";
import type { ExecRules, PatchedPath } from "../../shell/index.js";

/** What tools that run commands or change files share in a session. */
export interface ExecServices {
  behavior: ExecBehavior;
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

/**
 * The commands that the user has approved for the rest of the session: word for word, and where they
 * run, since `./build.sh` is another program in another folder.
 */
export class ApprovedCommands {
  #commands = new Set<string>();

  add(argv: readonly string[], cwd: string): void {
    this.#commands.add(JSON.stringify([cwd, ...argv]));
  }

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
