import type { ThreadRequest } from "./session/session.js";

/** A prompt that the user has saved. */
export interface SavedPrompt {
  name: string;
  description?: string | undefined;
  argumentHint?: string | undefined;
}

/** A message typed as a saved prompt, with its arguments filled in; or why that cannot be. */
export type FilledPrompt = { text: string } | { problem: string };

/** The models of a provider that runs on this machine. */
export interface LocalModels {
  /** Asks the provider for their names; empty if it does not answer. */
  list(): Promise<readonly string[]>;
  /** Settings of config.toml, by their dotted names, that make it the default; undefined: it does not last. */
  settings: Readonly<Record<string, unknown>> | undefined;
}

/** What the machine of the user gives the terminal UI, besides a terminal and a server. */
export interface TuiHost {
  /** What this program calls itself. */
  title: string;
  /** The command line that continues a session. */
  resumeCommand(threadId: string): string;
  env: Readonly<Record<string, string | undefined>>;
  /** Messages sent before, on this machine, oldest first. */
  readHistory(): Promise<string[]>;
  /** Remembers a message. */
  addHistory(text: string, threadId: string): Promise<void>;
  readPrompts(): Promise<SavedPrompt[]>;
  /** Fills in a line such as `/prompts:name ARG=value`; nothing when there is no such prompt. */
  fillPrompt(line: string): Promise<FilledPrompt | undefined>;
  /** What a thread needs to use a model on this machine; rejects when none answers. */
  findLocalModel?(): Promise<Partial<ThreadRequest>>;
  /** Returns the models of a provider that runs on this machine; undefined for any other. */
  localModels?(provider: string): Promise<LocalModels | undefined>;
  /** Starts the scripted model; what a thread needs to use it. */
  startDemo?(): Promise<Partial<ThreadRequest>>;
}
