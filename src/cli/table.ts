import { type Command, type CommandEntry, defineCommand } from "./command.js";
import { sessionOptions } from "./options/session-options.js";

/** Every verb of the program, in the order of the overview. */
export const commands: readonly CommandEntry[] = [
  {
    name: "exec",
    summary: "Work on one task without asking, for scripts and CI",
    aliases: ["e"],
    load: async () => (await import("./commands/exec.js")).exec,
  },
  {
    name: "review",
    summary: "Review the changes of a repository",
    load: async () => ({
      ...(await import("./commands/exec-review.js")).execReview,
      name: "review",
    }),
  },
  {
    name: "resume",
    summary: "Go on with an earlier conversation",
    load: async () => (await import("./commands/resume.js")).resume,
  },
  {
    name: "fork",
    summary: "Go on in a copy of an earlier conversation",
    load: async () => (await import("./commands/resume.js")).fork,
  },
  {
    name: "login",
    summary: "Sign in, with ChatGPT or an API key; `login status` says who is",
    load: async () => (await import("./commands/login.js")).login,
  },
  {
    name: "logout",
    summary: "Forget the sign-in",
    load: async () => (await import("./commands/logout.js")).logout,
  },
  {
    name: "mcp",
    summary: "Set up the MCP servers that the model may use",
    load: async () => (await import("./commands/mcp.js")).mcp,
  },
  {
    name: "sessions",
    summary: "List, measure, prune and export the sessions on this machine",
    load: async () => (await import("./commands/sessions.js")).sessions,
  },
  {
    name: "archive",
    summary: "Put a session away; `unarchive` brings it back",
    load: async () => (await import("./commands/archive.js")).archive,
  },
  {
    name: "unarchive",
    summary: "Bring back a session that was put away",
    load: async () => (await import("./commands/archive.js")).unarchive,
  },
  {
    name: "delete",
    summary: "Remove a session for good",
    load: async () => (await import("./commands/delete.js")).deleteSession,
  },
  {
    name: "apply",
    summary: "Apply the diff of a task in Codex Cloud to the repository here",
    aliases: ["a"],
    load: async () => (await import("./commands/apply.js")).apply,
  },
  {
    name: "features",
    summary: "List the features that can be turned on and off",
    load: async () => (await import("./commands/features.js")).features,
  },
  {
    name: "doctor",
    summary: "Check that everything works, and say what to do where it does not",
    load: async () => (await import("./commands/doctor.js")).doctor,
  },
  {
    name: "completion",
    summary: "Write the completion for a shell: bash, zsh, fish or powershell",
    load: async () => (await import("./commands/completion.js")).completion,
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
    name: "proto",
    summary: "Speak the submission and event queues over standard input and output",
    aliases: ["p"],
    load: async () => (await import("./commands/proto.js")).proto,
  },
  {
    name: "sandbox",
    summary: "Run one command confined as the model's commands are",
    load: async () => (await import("./commands/sandbox.js")).sandbox,
  },
  {
    name: "debug",
    summary: "Print the model catalogue or the input of a first request as JSON",
    load: async () => (await import("./commands/debug.js")).debug,
  },
  {
    name: "cloud",
    summary: "Apply the diff of a task in Codex Cloud to the repository here",
    aliases: ["cloud-tasks"],
    hidden: true,
    load: async () => (await import("./commands/cloud.js")).cloud,
  },
  {
    name: "policy",
    summary: "Say what would happen to a command, and which rule decides it",
    load: async () => (await import("./commands/policy.js")).policy,
  },
  {
    name: "apply-patch",
    summary: "Apply a patch in the format of apply_patch to the files here",
    load: async () => (await import("./commands/apply-patch.js")).applyPatch,
  },
  {
    name: "mock-model",
    summary: "Serve a scripted model for tests and trials",
    load: async () => (await import("./commands/mock-model.js")).mockModel,
  },
  {
    name: "demo",
    summary: "Watch a whole task on a scripted model: no key, no network",
    load: async () => (await import("./commands/demo.js")).demo,
  },
];

/** The program itself: with a verb that, without one the terminal UI. */
export const root: Command = defineCommand({
  name: "",
  summary: "the Codex agent system, small and embeddable",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: sessionOptions,
  verbs: commands,
  async run(input, io) {
    const { tui } = await import("./commands/tui.js");
    return tui.run(input as never, io);
  },
});
