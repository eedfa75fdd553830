import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Era } from "../../compat/index.js";
import { unknownModelWarning } from "../../engine/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  TurnInterruptParams,
  TurnStartParams,
  TurnStartResponse,
  TurnSteerParams,
  TurnSteerResponse,
} from "../../protocol/rpc/v2/turn.js";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import type {
  InputItem,
  OverrideTurnContextOp,
  SandboxPolicy,
  UserTurnOp,
} from "../../protocol/types.js";
import type { Connection, V2Handlers } from "../connection.js";
import { startedTurn } from "../feed/turn.js";
import { toInputItem } from "../items/messages.js";
import type { RemoteEngine } from "../thread/remote-engine.js";
import type { Thread } from "../thread/thread.js";
import {
  assertOnlyProfile,
  loadProfile,
  toEngineApproval,
  toEnginePolicy,
  toEngineReviewer,
} from "./policy.js";
import { notifySettings } from "./thread-settings.js";

/** Handlers of the turn methods. */
export const turnHandlers = {
  "turn/start": startTurn,
  "turn/steer": steerTurn,
  "turn/interrupt": interruptTurn,
} satisfies Partial<V2Handlers>;

/**
 * Starts a turn, or adds input to the running one.
 *
 * Replies in the same step, so that no event of the turn precedes the reply. Only a turn that
 * continues from a bookmark is replied to once the bookmark has been found.
 */
function startTurn(
  params: TurnStartParams,
  connection: Connection,
  request: RpcRequest,
): TurnStartResponse | Promise<TurnStartResponse> {
  const { permissions, sandboxPolicy, sandbox } = params;
  assertAcceptsInput(connection.thread(params.threadId));
  if (permissions == null) return startWith({}, params, connection, request);
  const { server } = connection;
  const { settings } = connection.thread(params.threadId);
  assertOnlyProfile({ permissions }, { sandboxPolicy, sandbox });
  const cwd = params.cwd == null ? settings.cwd : resolve(server.parts.cwd, params.cwd);
  return loadProfile(permissions, { cwd, server }).then((profile) =>
    startWith(profile, params, connection, request),
  );
}

/** Throws if a thread is that of a helper agent: only other agents give it tasks. */
function assertAcceptsInput({ agent }: Thread): void {
  if (agent?.self.generation !== 2) return;
  throw new CodexError(
    "invalid_request",
    "direct app-server input is not allowed for multi-agent v2 sub-agents",
  );
}

/** Starts the turn, once its permission profile is known. */
function startWith(
  profile: Partial<Awaited<ReturnType<typeof loadProfile>>>,
  params: TurnStartParams,
  connection: Connection,
  request: RpcRequest,
): TurnStartResponse | Promise<TurnStartResponse> {
  const { parts, feeds } = connection.server;
  const thread = connection.thread(params.threadId);
  checkLength(params.input);
  const clientId = params.clientUserMessageId ?? null;
  const sent = feeds.of(thread).messages.find(clientId, params.input);
  // A message that a client repeats after a lost connection is accepted once; the reference accepts both.
  if (sent !== undefined && parts.era.since.current) {
    return { turn: startedTurn(sent) };
  }
  const settings = { ...toSettings(params, parts.cwd), ...profile };
  thread.origin.requirements?.assertAllowed(settings); // before anything is stored
  const items = toItems(params);
  const schema = params.outputSchema;
  const output = schema === undefined ? {} : { final_output_json_schema: schema };
  const context = toContext(params.additionalContext);
  const named = clientId === null ? {} : { client_id: clientId };
  const input = { items, ...context, ...named };
  const userTurn = { type: "user_turn" as const, ...input, ...settings, ...output };
  const { remote } = thread;
  if (remote !== undefined) {
    return startRemotely(userTurn, { thread, params, connection, request }, remote);
  }
  if (params.lastResponseId != null) {
    const op = { ...userTurn, last_response_id: params.lastResponseId };
    return startFromBookmark(op, { thread, params, connection, request });
  }
  const feed = feeds.of(thread);
  const running = thread.isBusy ? thread.state.currentTurnId : undefined;
  // Before 0.166 input during a turn was answered with a separate turn, which never ends.
  const joins = running !== undefined && parts.era.since["0.166"];
  const turn = startedTurn(joins ? running : parts.newId());
  feed.messages.add(clientId, params.input, turn.id);
  const before = thread.settings;
  request.afterReply(() => {
    connection.subscribe(thread);
    if (thread.settings !== before) notifySettings(thread, connection.server);
    if (running === undefined) feed.announce(turn);
    else feed.join(turn);
  });
  if (running === undefined) {
    warnOfModel(thread, { ...settings, turnId: turn.id }, parts.era);
    thread.submit(userTurn, turn.id, request.trace);
  } else {
    if (Object.keys(settings).length > 0) {
      thread.submit({ type: "override_turn_context", ...settings });
    }
    thread.submit({ type: "user_input", ...input });
  }
  return { turn };
}

/** Starts a turn of a remote thread, or joins the running one: the reply waits until the input is durable. */
async function startRemotely(
  op: UserTurnOp,
  { thread, params, connection, request }: RequestedStart,
  remote: RemoteEngine,
): Promise<TurnStartResponse> {
  const { lastResponseId } = params;
  const input: UserTurnOp = {
    ...op,
    active_turn_id: (thread.isBusy ? thread.state.currentTurnId : undefined) ?? null,
    ...(lastResponseId == null ? {} : { last_response_id: lastResponseId }),
  };
  const before = thread.settings;
  const stored = await remote.startTurn(input, request.trace);
  const { submissionId, turnId, isNew, firstNumber } = stored;
  if (isNew) thread.submitted(input, submissionId);
  if (isNew && turnId === submissionId) thread.state.announce(turnId);
  request.afterReply(() => {
    // A client that sends its message again receives all of the turn, even if it has ended.
    connection.subscribe(thread, firstNumber === undefined ? {} : { after: firstNumber - 1 });
    if (thread.settings !== before) notifySettings(thread, connection.server);
  });
  return { turn: startedTurn(turnId) };
}

/** Returns the input for the engine: that of the user, or the output of a tool in its place. */
function toItems({ input, toolOutput }: TurnStartParams): InputItem[] {
  if (toolOutput == null) return input.map(toInputItem);
  if (input.length > 0) throw invalid("`toolOutput` cannot be combined with nonempty `input`");
  if (toolOutput.name === "") throw invalid("`toolOutput.name` must not be empty");
  return [{ type: "tool_output", ...toolOutput }];
}

/** Starts a turn that may be rejected: the reply waits until it starts, and precedes its events. */
function startFromBookmark(
  op: UserTurnOp,
  { thread, connection, request }: RequestedStart,
): Promise<TurnStartResponse> {
  const { parts, feeds } = connection.server;
  const feed = feeds.of(thread);
  const turn = startedTurn(parts.newId());
  const result = { turn };
  const before = thread.settings;
  return new Promise((resolve, reject) => {
    feed.beforeFirstEvent(turn.id, (msg) => {
      if (msg.type === "error") return reject(invalid(msg.message));
      request.reply(result);
      connection.subscribe(thread);
      if (thread.settings !== before) notifySettings(thread, connection.server);
      feed.announce(turn);
      resolve(result);
    });
    warnOfModel(thread, { model: op.model ?? null, turnId: turn.id }, parts.era);
    thread.submit(op, turn.id, request.trace);
  });
}

interface RequestedStart {
  thread: Thread;
  params: TurnStartParams;
  connection: Connection;
  request: RpcRequest;
}

/** Adds input to the running turn; throws if it is not the expected one. */
async function steerTurn(
  { threadId, input, expectedTurnId, clientUserMessageId, additionalContext }: TurnSteerParams,
  connection: Connection,
): Promise<TurnSteerResponse> {
  const { parts, feeds } = connection.server;
  const thread = connection.thread(threadId);
  if (expectedTurnId === "") throw invalid("expectedTurnId must not be empty");
  if (input.length === 0) throw invalid("input must not be empty");
  checkLength(input);
  const feed = feeds.of(thread);
  const op = {
    type: "steer_input" as const,
    ...(clientUserMessageId == null ? {} : { client_id: clientUserMessageId }),
    items: input.map(toInputItem),
    expected_turn_id: feed.messages.resolve(expectedTurnId),
    ...toContext(additionalContext),
  };
  const { turn_id = expectedTurnId } = await thread.request(
    op,
    parts.newId(),
    "submission_accepted",
  );
  return { turnId: turn_id };
}

/** Interrupts a turn. Whether an idle thread is an error depends on the era. */
async function interruptTurn(
  { threadId, turnId }: TurnInterruptParams,
  connection: Connection,
  request: RpcRequest,
): Promise<Record<string, never>> {
  const thread = connection.thread(threadId);
  const feed = connection.server.feeds.of(thread);
  const running = thread.state.currentTurnId;
  const isKnown = running !== undefined || thread.remote !== undefined;
  if (!isKnown && connection.server.parts.era.v2.idleInterrupt === "refused") {
    throw invalid("no active turn to interrupt");
  }
  if (running !== undefined && turnId !== "" && feed.messages.resolve(turnId) !== running) {
    throw invalid(`expected active turn id ${turnId} but found ${running}`);
  }
  feed.beforeTurnEnd(() => request.reply({}));
  await thread.interrupt();
  return {};
}

/** Converts the texts that precede the input; their names become tags, so only plain names are allowed. */
function toContext(
  entries: TurnStartParams["additionalContext"],
): Pick<UserTurnOp, "additional_context"> {
  if (entries == null) return {};
  const wrong = Object.keys(entries).find((key) => !/^[\w.:-]{1,100}$/.test(key));
  if (wrong !== undefined) {
    throw invalid(
      `Expected the keys of \`additionalContext\` to have letters, digits and _ . : - only (got ${JSON.stringify(wrong)})`,
    );
  }
  const sorted = Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1));
  return { additional_context: sorted.map(([key, entry]) => ({ key, ...entry })) };
}

type TurnSettings = Omit<OverrideTurnContextOp, "type" | "effort"> & Pick<UserTurnOp, "effort">;

/** Converts the settings of a turn to the engine. */
function toSettings(params: TurnStartParams, cwd: string): TurnSettings {
  const { approvalPolicy, model, effort, summary, personality } = params;
  const { collaborationMode } = params;
  const policy = sandboxOf(params);
  return {
    ...(params.cwd == null ? {} : { cwd: resolve(cwd, params.cwd) }),
    ...(approvalPolicy === undefined ? {} : { approval_policy: toEngineApproval(approvalPolicy) }),
    ...(params.approvalsReviewer === undefined ? {} : toEngineReviewer(params.approvalsReviewer)),
    ...(policy === undefined ? {} : { sandbox_policy: policy }),
    ...(model == null ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(summary === undefined ? {} : { summary }),
    ...(personality === undefined ? {} : { personality }),
    ...(collaborationMode === undefined ? {} : { collaboration_mode: collaborationMode }),
  };
}

/** Returns the sandbox policy under either of its two names; throws if they differ. */
function sandboxOf(params: TurnStartParams): SandboxPolicy | undefined {
  const { sandboxPolicy, sandbox } = params;
  const policies = [sandboxPolicy, sandbox].flatMap((policy) => policy ?? []).map(toEnginePolicy);
  const [policy, other] = policies;
  if (other === undefined || isDeepStrictEqual(policy, other)) return policy;
  throw invalid(
    "`sandbox` is an alias of `sandboxPolicy`, but the two differ: " +
      `${JSON.stringify(sandbox)} and ${JSON.stringify(sandboxPolicy)}. Send only one of them.`,
  );
}

/** Throws if the input is longer than any model can read. */
function checkLength(input: readonly UserInput[]): void {
  let actual = 0;
  for (const part of input) if (part.type === "text") actual += [...part.text].length;
  if (actual <= maxChars) return;
  throw new RpcError(
    rpcCodes.invalidParams,
    `Input exceeds the maximum length of ${maxChars} characters.`,
    { input_error_code: "input_too_large", max_chars: maxChars, actual_chars: actual },
  );
}

const maxChars = 1 << 20;

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message);
}

/** Warns of an unknown model before the turn starts, if the era does so. */
function warnOfModel(
  thread: Thread,
  { model, turnId }: { model?: string | null; turnId: string },
  era: Era,
): void {
  if (era.engine.unknownModelWarning !== "before it") return;
  const message = unknownModelWarning(model ?? thread.settings.model, era);
  if (message === undefined) return;
  thread.receive({ id: turnId, msg: { type: "warning", message }, thread_id: thread.id });
}
