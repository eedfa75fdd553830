import type { Command } from "./command.js";

/** A command before it is loaded: what the overview needs, and where the rest is. */
export interface CommandEntry {
  name: string;
  summary: string;
  load(): Promise<Command>;
}

/** Every command of the program. */
export const commands: readonly CommandEntry[] = [
  {
    name: "proto",
    summary: "Speak the submission and event queues over standard input and output",
    load: async () => (await import("./commands/proto.js")).proto,
  },
];
