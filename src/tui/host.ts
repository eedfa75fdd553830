import type { ThreadRequest } from "./session/session.js";

/** A saved prompt. */
export interface SavedPrompt {
  name: string;
  description?: string | undefined;
  argumentHint?: string | undefined;
}

/** A saved prompt with its arguments filled in, or the reason why that failed. */
export type FilledPrompt = { text: string } | { problem: string };

/** The models of a local provider. */
export interface LocalModels {
  /** Requests their names; empty if the provider does not respond. */
  list(): Promise<readonly string[]>;
  /**
   * Config settings, by dotted name, that make the provider the default; undefined if it cannot be
   * saved.
   */
  settings: Readonly<Record<string, unknown>> | undefined;
}

/** Services of the user's machine, besides the terminal and the server. */
export interface TuiHost {
  /** Title of the program. */
  title: string;
  /** Returns the command line that resumes a session. */
  resumeCommand(threadId: string): string;
  env: Readonly<Record<string, string | undefined>>;
  /** Messages sent on this machine, oldest first. */
  readHistory(): Promise<string[]>;
  /** Adds a message to the history. */
  addHistory(text: string, threadId: string): Promise<void>;
  readPrompts(): Promise<SavedPrompt[]>;
  /** Saves a prompt; returns the reason if it could not, such as a name that is taken. */
  savePrompt(name: string, text: string): Promise<string | undefined>;
  /** Fills in a line such as `/prompts:name ARG=value`; undefined if there is no such prompt. */
  fillPrompt(line: string): Promise<FilledPrompt | undefined>;
  /** Returns the git branch of a folder of this machine. */
  readBranch?(cwd: string): Promise<string | undefined>;
  /** Returns the path of the user's own AGENTS.md; absent if it is on another machine. */
  instructionsFile?(): string;
  /** Returns an image file of this machine as a data URL. */
  readImage?(path: string): string | undefined;
  /** Creates a git worktree of the repository around a folder, with a name of its own if `name` is empty. */
  createWorktree?(cwd: string, name: string): Promise<{ cwd: string; branch: string }>;
  /** Returns the `thread/start` parameters for a local model; rejects if no provider responds. */
  findLocalModel?(): Promise<Partial<ThreadRequest>>;
  /** Returns the models of a local provider; undefined for any other. */
  localModels?(provider: string): Promise<LocalModels | undefined>;
  /** Starts the scripted model; returns the `thread/start` parameters to use it. */
  startDemo?(): Promise<Partial<ThreadRequest>>;
}
