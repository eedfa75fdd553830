import { CodexError } from "../../protocol/error.js";
import type { InputItem, ResponseItem } from "../../protocol/types.js";
import type { ReturnTo } from "../bookmarks.js";
import { agentTask, regularTask } from "../loop.js";
import { contextMessages } from "../messages.js";
import {
  type EnvironmentContext,
  environmentMessage,
  environmentOf,
} from "../opening/environment.js";
import { agentsChange, modeMessages } from "../opening/opening.js";
import type { OnInput, Session } from "../session.js";
import { startTask } from "../task.js";
import { unknownModelWarning, workingContext } from "../turn-context.js";
import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Starts a task with settings that also apply to later turns; by default replaces the running one. */
const userTurn: OpHandler<"user_turn"> = async (session, submitted, id) => {
  const op = await session.settings.resolveProfile(submitted);
  // A refused setting must not abort the running task.
  session.config.requirements?.assertAllowed(op);
  session.nameInput(op.items, op.client_id);
  const { active_turn_id: active } = op;
  const input = {
    id,
    ...(active === undefined ? {} : { onInput: onInputDuring(active, session) }),
    items: op.items,
    outputSchema: op.final_output_json_schema,
    context: contextMessages(op.additional_context),
    returnTo: await findBookmark(session, op.last_response_id),
    applySettings() {
      const before = session.context;
      session.settings.override(op);
      session.settings.recordChange(before, id);
    },
  };
  takeInput(session, input, "replace");
};

/** Starts a task with the session's settings; joins the one that runs by default. */
const userInput: OpHandler<"user_input"> = async (session, op, id) => {
  session.nameInput(op.items, op.client_id);
  const input = {
    id,
    items: op.items,
    outputSchema: op.final_output_json_schema,
    context: contextMessages(op.additional_context),
    returnTo: await findBookmark(session, op.last_response_id),
  };
  takeInput(session, input, "join");
};

/** Returns how input for a turn is taken: it joins no other one. */
function onInputDuring(turnId: string | null, { task }: Session): OnInput {
  return task !== undefined && task.turnId === turnId ? "join" : "queue";
}

/** Finds the response to continue from, if one is named; an unknown one is refused before anything has changed. */
async function findBookmark(
  { bookmarks }: Session,
  responseId: string | null | undefined,
): Promise<ReturnTo | undefined> {
  return responseId == null ? undefined : bookmarks.find(responseId);
}

/** User input and the start of its task. */
interface Input {
  id: string;
  items: InputItem[];
  /** The JSON Schema that the final answer must follow. */
  outputSchema: unknown;
  /** Messages with context of the client, before the input. */
  context: readonly ResponseItem[];
  /** Goes to the bookmark that it continues from. */
  returnTo: ReturnTo | undefined;
  /** Applies the settings that come with it. */
  applySettings?(): void;
  /** Handling of it during a task, in place of the session's choice. */
  onInput?: OnInput;
}

/** Starts a task with the input, or joins, queues or replaces as the client has chosen. */
function takeInput(session: Session, input: Input, byDefault: OnInput): void {
  const { id, items, outputSchema, context, returnTo } = input;
  assertSeparate(items);
  const start = () => {
    session.abortTask("replaced");
    returnTo?.();
    input.applySettings?.();
    session.settings.persist();
    const schema = outputSchema == null ? {} : { outputSchema };
    startTask(session, id, regularTask(items, { ...schema, context }));
  };
  const onInput = input.onInput ?? session.onInput ?? byDefault;
  if (session.task === undefined) start();
  else if (onInput === "queue") session.current.queue({ id, start });
  else if (onInput === "replace" || returnTo !== undefined) start();
  else {
    input.applySettings?.();
    session.settings.persist();
    for (const message of context) session.pending.addItem(message);
    session.pending.add(items, "user", id);
  }
}

/** Throws if the output of a tool is not the only item of its input. */
function assertSeparate(items: readonly InputItem[]): void {
  if (items.length < 2 || items.every(({ type }) => type !== "tool_output")) return;
  const message = `\`tool_output\` must be the only item of its input (got ${items.length} items)`;
  throw new CodexError("invalid_request", message);
}

/** Adds input to the active turn if its id is the expected one. */
const steerInput: OpHandler<"steer_input"> = (session, op, id) => {
  const { task } = session;
  if (task === undefined) throw new CodexError("not_found", "no active turn to steer");
  const { items, expected_turn_id: expected = task.turnId } = op;
  if (expected !== task.turnId) {
    const message = `expected active turn id \`${expected}\` but found \`${task.turnId}\``;
    throw new CodexError("not_found", message);
  }
  if (items.length === 0) throw new CodexError("invalid_request", "input must not be empty");
  assertSeparate(items);
  session.nameInput(items, op.client_id);
  for (const message of contextMessages(op.additional_context)) session.pending.addItem(message);
  session.pending.add(items, "user", id);
  session.emit(id, { type: "submission_accepted", turn_id: task.turnId });
};

/** Shows the model more with its next request, without asking it anything. */
const injectItems: OpHandler<"inject_items"> = (session, { response_items }, id) => {
  session.record(response_items.filter(({ type }) => type !== "other"));
  session.emit(id, { type: "submission_accepted" });
};

/** Delivers a message of another agent; one that gives a task starts a turn if none is active. */
const interAgentCommunication: OpHandler<"inter_agent_communication"> = (session, op, id) => {
  session.deliver(op, () => startTask(session, id, agentTask(op)));
};

/** Aborts the running task; if there is none, the client is still answered as specified (0.166 is silent). */
const interrupt: OpHandler<"interrupt"> = (session, _, id) => {
  const { task, history, parts, hooks } = session;
  if (task !== undefined) {
    const abort = () => session.abortAll("interrupted");
    return hooks?.followsInterrupts ? hooks.interrupt(task, abort) : abort();
  }
  if (!parts.era.since.current) return;
  const { newestResponseId: last } = history;
  const bookmark = last === undefined ? {} : { response_id: last };
  session.events.answer(id, { type: "turn_aborted", reason: "interrupted", ...bookmark });
};

/** Changes the settings of later turns and records the changes for the model. */
const overrideTurnContextOp: OpHandler<"override_turn_context"> = async (session, submitted) => {
  const op = await session.settings.resolveProfile(submitted);
  const before = session.context;
  session.settings.override(op);
  session.settings.persist();
  if (session.parts.era.engine.contextForm !== "2025") {
    return session.settings.recordChange(before);
  }
  const [was, is] = [before, session.context].map((one) =>
    environmentOf(workingContext(one, session.parts.era)),
  ) as [EnvironmentContext, EnvironmentContext];
  const changed: EnvironmentContext = {
    ...(op.cwd ? { cwd: op.cwd } : {}),
    ...policyChanges(op, was, is),
  };
  if (Object.keys(changed).length > 0) session.record([environmentMessage(changed)]);
  session.record(modeMessages(before, session.context, session.parts.era.engine));
  session.record(agentsChange(session, before));
};

/** Returns the policies that an op or a change of the mode has set, as they hold in the next turn. */
function policyChanges(
  op: { approval_policy?: unknown; sandbox_policy?: unknown },
  was: EnvironmentContext,
  is: EnvironmentContext,
): EnvironmentContext {
  const names = ["approval_policy", "sandbox_policy"] as const;
  const changed = names.filter(
    (name) => op[name] || JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  );
  const policies = Object.fromEntries(changed.map((name) => [name, is[name]]));
  const isSame = is.filesystem === undefined || is.filesystem === was.filesystem;
  return { ...policies, ...(isSame ? {} : { filesystem: is.filesystem }) } as EnvironmentContext;
}

/** Changes settings of the active turn only; the session's own return at its end. */
const updateTurnSettings: OpHandler<"update_turn_settings"> = (session, op, id) => {
  const { task, parts } = session;
  const { turn_id, model, effort, summary, approvals_reviewer } = op;
  if (model !== undefined && unknownModelWarning(model, parts.era) !== undefined) {
    const message = "the destination model has only fallback metadata";
    throw new CodexError("invalid_request", message);
  }
  const applied = task?.turnId === turn_id;
  if (applied) {
    const changes = { model, effort, summary, approvals_reviewer };
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    session.settings.overrideTurn(Object.fromEntries(given));
  }
  session.emit(id, { type: "turn_settings_updated", applied });
};

/** Continues a turn of an engine that was lost. */
const continueTurn: OpHandler<"continue_turn"> = async (session, op, id) => {
  const { continueTurn } = await import("../continue-turn.js");
  continueTurn(session, op, id);
};

/** Handlers of ops that send input or change settings. */
export const inputOps = {
  user_turn: userTurn,
  user_input: userInput,
  steer_input: steerInput,
  update_turn_settings: updateTurnSettings,
  inject_items: injectItems,
  inter_agent_communication: interAgentCommunication,
  continue_turn: continueTurn,
  interrupt,
  override_turn_context: overrideTurnContextOp,
} satisfies Partial<OpHandlers>;
