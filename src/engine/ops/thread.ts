import { appendHistory, readHistoryEntry } from "../../history/index.js";
import { readCustomPrompts } from "../../project/index.js";
import { CodexError } from "../../protocol/error.js";
import type { SkillsListEntry } from "../../protocol/types.js";
import { setThreadName as saveThreadName } from "../../rollout/index.js";
import { compactTask } from "../compact.js";
import { startWithoutInput } from "../loop.js";
import { reviewTask } from "../review/task.js";
import { startTask } from "../task.js";
import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Summarizes the conversation; the task that runs is replaced, for its turns would be lost. */
const compact: OpHandler<"compact"> = (session, _op, id) => {
  startWithoutInput(session, id, compactTask);
};

/** Starts a review; replaces the task that runs. */
const review: OpHandler<"review"> = (session, op, id) => {
  startTask(session, id, reviewTask(op.review_request));
};

/** Removes the last turns of the user from the conversation; changed files stay as they are. */
const threadRollback: OpHandler<"thread_rollback"> = (session, { num_turns }, id) => {
  if (session.task !== undefined) {
    throw new CodexError("invalid_request", "Cannot rollback while a turn is in progress.");
  }
  session.rollBack(num_turns);
  session.emit(id, session.tokens.event(session.contextWindow));
  session.emit(id, { type: "thread_rolled_back", num_turns });
};

/** Sets the name of the thread, which lists show and `resume` accepts. */
const setThreadName: OpHandler<"set_thread_name"> = async (session, op, id) => {
  const name = op.name.trim();
  if (name === "") throw new CodexError("invalid_request", "Thread name cannot be empty.");
  if (session.parts.log.path === undefined) {
    const message = "This conversation is not recorded in a file, so it cannot be named";
    throw new CodexError("invalid_request", message);
  }
  const { home } = session.config;
  await saveThreadName(home, session.id, { name, now: session.parts.clock.now() });
  session.emit(id, { type: "thread_name_updated", thread_id: session.id, thread_name: name });
};

/** Emits the path of the rollout. */
const getPath: OpHandler<"get_path"> = (session, _op, id) => {
  const { path } = session.parts.log;
  if (path === undefined) {
    const message = "This conversation is not recorded in a file, so it has no path";
    return session.emit(id, { type: "error", message });
  }
  session.emit(id, { type: "conversation_path", conversation_id: session.id, path });
};

/** Lists the prompts that the user has saved. */
const listCustomPrompts: OpHandler<"list_custom_prompts"> = async (session, _op, id) => {
  const frontMatter = session.parts.era.since["0.104"];
  const custom_prompts = await readCustomPrompts({ home: session.config.home, frontMatter });
  session.emit(id, { type: "list_custom_prompts_response", custom_prompts });
};

/** Lists the skills of some folders. */
const listSkills: OpHandler<"list_skills"> = async (session, op, id) => {
  const forceReload = op.force_reload ?? false;
  const cwds = op.cwds === undefined || op.cwds.length === 0 ? [session.context.cwd] : op.cwds;
  const skills = await Promise.all(
    cwds.map(async (cwd): Promise<SkillsListEntry> => {
      const found = await session.parts.skills.forCwd(cwd, { forceReload });
      return { cwd, skills: found.skills, errors: found.errors };
    }),
  );
  session.emit(id, { type: "list_skills_response", skills });
};

/** Lists the tools of the MCP servers. */
const listMcpTools: OpHandler<"list_mcp_tools"> = async (session, _op, id) => {
  const tools = await session.parts.mcp.listTools();
  session.emit(id, { type: "mcp_list_tools_response", tools });
};

/** Remembers a message the user typed, for the next sessions; nothing is answered. */
const addToHistory: OpHandler<"add_to_history"> = async (session, { text }) => {
  const { home, history } = session.config;
  const { persistence, max_bytes } = history;
  await appendHistory({
    home,
    settings: { persistence, ...(max_bytes === undefined ? {} : { maxBytes: max_bytes }) },
    entry: { conversation_id: session.id, text },
    clock: session.parts.clock,
  });
};

/** Looks up a message the user typed in some session. */
const getHistoryEntry: OpHandler<"get_history_entry_request"> = async (session, op, id) => {
  const { offset, log_id } = op;
  const entry = await readHistoryEntry({ home: session.config.home, logId: log_id, offset });
  session.emit(id, {
    type: "get_history_entry_response",
    offset,
    log_id,
    ...(entry === undefined ? {} : { entry }),
  });
};

/** Handlers of ops on the thread and its listings. */
export const threadOps = {
  compact,
  review,
  thread_rollback: threadRollback,
  set_thread_name: setThreadName,
  get_path: getPath,
  list_custom_prompts: listCustomPrompts,
  list_skills: listSkills,
  list_mcp_tools: listMcpTools,
  add_to_history: addToHistory,
  get_history_entry_request: getHistoryEntry,
} satisfies Partial<OpHandlers>;
