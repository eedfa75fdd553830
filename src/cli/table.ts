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
  {
    name: "app-server",
    summary: "Serve the JSON-RPC protocol to another program",
    load: async () => (await import("./commands/app-server.js")).appServer,
  },
  {
    name: "mcp-server",
    summary: "Serve Codex as tools over MCP",
    load: async () => (await import("./commands/mcp-server.js")).mcpServer,
  },
  {
    name: "mcp",
    summary: "The same as mcp-server, under the name it had first",
    load: async () => (await import("./commands/mcp-server.js")).mcp,
  },
  {
    name: "demo",
    summary: "Watch a whole task on a scripted model: no key, no network",
    load: async () => (await import("./commands/demo.js")).demo,
  },
  {
    name: "mock-model",
    summary: "Serve a scripted model for tests and trials",
    load: async () => (await import("./commands/mock-model.js")).mockModel,
  },
  {
    name: "apply-patch",
    summary: "Apply a patch in the format of apply_patch to the files here",
    load: async () => (await import("./commands/apply-patch.js")).applyPatch,
  },
  {
    name: "sandbox",
    summary: "Run one command confined as the model's commands are",
    load: async () => (await import("./commands/sandbox.js")).sandbox,
  },
  {
    name: "policy",
    summary: "Say what would happen to a command, and which rule decides it",
    load: async () => (await import("./commands/policy.js")).policy,
  },
];
