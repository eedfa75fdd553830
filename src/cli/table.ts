import { type Command, type CommandEntry, defineCommand } from "./command.js";
import { sessionOptions, worktreeOption } from "./options/session-options.js";

/** All commands of the program, in the order of `quire --help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: "exec",
    summary: "Run a task non-interactively",
    aliases: ["e"],
    load: async () => (await import("./commands/exec.js")).exec,
  },
  {
    name: "review",
    summary: "Run a code review non-interactively",
    load: async () => ({
      ...(await import("./commands/exec-review.js")).execReview,
      name: "review",
    }),
  },
  {
    name: "resume",
    summary: "Resume a previous session",
    load: async () => (await import("./commands/tui.js")).resume,
  },
  {
    name: "fork",
    summary: "Fork a previous session",
    load: async () => (await import("./commands/tui.js")).fork,
  },
  {
    name: "login",
    summary: "Log in with ChatGPT or an API key",
    load: async () => (await import("./commands/login.js")).login,
  },
  {
    name: "logout",
    summary: "Log out and delete the stored credentials",
    load: async () => (await import("./commands/login.js")).logout,
  },
  {
    name: "mcp",
    summary: "Manage MCP servers",
    load: async () => (await import("./commands/mcp.js")).mcp,
  },
  {
    name: "hooks",
    summary: "List, explain, test and trust hooks",
    load: async () => (await import("./commands/hooks.js")).hooks,
  },
  {
    name: "sessions",
    summary: "List, measure, prune and export sessions",
    load: async () => (await import("./commands/sessions.js")).sessions,
  },
  {
    name: "usage",
    summary: "Show tokens and costs of the recorded sessions",
    load: async () => (await import("./commands/usage.js")).usage,
  },
  {
    name: "queue",
    summary: "Queue a message for a thread",
    load: async () => (await import("./commands/queue.js")).queue,
  },
  {
    name: "rewind",
    summary: "Return a session and its files to before a turn",
    load: async () => (await import("./commands/rewind.js")).rewind,
  },
  {
    name: "worktrees",
    summary: "List, prune and remove worktrees of sessions",
    load: async () => (await import("./commands/worktrees.js")).worktrees,
  },
  {
    name: "archive",
    summary: "Archive a session",
    load: async () => (await import("./commands/archive.js")).archive,
  },
  {
    name: "unarchive",
    summary: "Restore an archived session",
    load: async () => (await import("./commands/archive.js")).unarchive,
  },
  {
    name: "delete",
    summary: "Delete a session permanently",
    load: async () => (await import("./commands/delete.js")).deleteSession,
  },
  {
    name: "apply",
    summary: "Apply the diff of a Codex Cloud task to the repository",
    aliases: ["a"],
    load: async () => (await import("./commands/apply.js")).apply,
  },
  {
    name: "features",
    summary: "List, enable and disable features",
    load: async () => (await import("./commands/features.js")).features,
  },
  {
    name: "doctor",
    summary: "Diagnose installation, config, login and sandbox",
    load: async () => (await import("./commands/doctor.js")).doctor,
  },
  {
    name: "completion",
    summary: "Generate a shell completion script",
    load: async () => (await import("./commands/completion.js")).completion,
  },
  {
    name: "app-server",
    summary: "Run the JSON-RPC app-server",
    load: async () => (await import("./commands/app-server.js")).appServer,
  },
  {
    name: "fleet",
    summary: "Run threads on many machines",
    load: async () => (await import("./commands/fleet.js")).fleet,
  },
  {
    name: "web",
    summary: "Serve the browser UI",
    load: async () => (await import("./commands/web.js")).web,
  },
  {
    name: "acp",
    summary: "Run as an ACP agent for editors",
    load: async () => (await import("./commands/acp.js")).acp,
  },
  {
    name: "mcp-server",
    summary: "Run as an MCP server",
    load: async () => (await import("./commands/mcp-server.js")).mcpServer,
  },
  {
    name: "proto",
    summary: "Speak the submission and event queues over stdin and stdout",
    aliases: ["p"],
    load: async () => (await import("./commands/proto.js")).proto,
  },
  {
    name: "sandbox",
    summary: "Run a command in the sandbox",
    load: async () => (await import("./commands/sandbox.js")).sandbox,
  },
  {
    name: "debug",
    summary: "Print the model catalog or the first model request",
    load: async () => (await import("./commands/debug.js")).debug,
  },
  {
    name: "cloud",
    summary: "Apply the diff of a Codex Cloud task to the repository",
    aliases: ["cloud-tasks"],
    hidden: true,
    load: async () => (await import("./commands/apply.js")).cloud,
  },
  {
    name: "policy",
    summary: "Explain the policy decision for a command, a file or a host",
    load: async () => (await import("./commands/policy.js")).policy,
  },
  {
    name: "apply-patch",
    summary: "Apply a patch in the apply_patch format",
    load: async () => (await import("./commands/apply-patch.js")).applyPatch,
  },
  {
    name: "mock-model",
    summary: "Run a scripted model server for tests",
    load: async () => (await import("./commands/mock-model.js")).mockModel,
  },
  {
    name: "record",
    summary: "Record the model's responses of a run to a cassette",
    load: async () => (await import("./commands/record.js")).record,
  },
  {
    name: "inspect",
    summary: "Check, show and record what a client and a server send",
    load: async () => (await import("./commands/inspect.js")).inspect,
  },
  {
    name: "demo",
    summary: "Run a demo task on a scripted model (no key, no network)",
    load: async () => (await import("./commands/demo.js")).demo,
  },
];

/** The program itself; without a command it runs the terminal UI. */
export const root: Command = defineCommand({
  name: "",
  summary: "the Codex agent system, small and embeddable",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: { ...sessionOptions, ...worktreeOption },
  verbs: commands,
  async run(input, io) {
    const { tui } = await import("./commands/tui.js");
    return tui.run(input as never, io);
  },
});
