import type {
  ConfigureSessionOp,
  ContinueTurnOp,
  Submission,
  TurnContextItem,
} from "../../protocol/types.js";
import type { At, Broker, SentSubmission } from "../broker.js";
import type { OpenTurn, ThreadView } from "./thread-view.js";

/** Id of the submissions that the worker itself makes when it loads a thread. */
export const loadId = "fleet-load";

/** Reads the submissions of a thread that are there now. */
export async function readSubmissions(
  { submissions }: Broker,
  threadId: string,
  signal: AbortSignal,
): Promise<At<SentSubmission>[]> {
  const head = await submissions.head(threadId);
  const found: At<SentSubmission>[] = [];
  if (head === 0) return found;
  for await (const submission of submissions.follow(threadId, 0, signal)) {
    found.push(submission);
    if (submission.position >= head) break;
  }
  return found;
}

/**
 * Returns the op that loads a thread on this worker.
 *
 * It is the one that has configured the thread, with the settings that the thread has by now.
 */
export function loadOp(
  first: ConfigureSessionOp,
  { settings }: Pick<ThreadView, "settings">,
  path: string,
): ConfigureSessionOp {
  const { is_copy: _, ...rest } = first;
  const loaded = { ...rest, resume_path: path, keeps_policies: true };
  if (settings === undefined) return loaded;
  for (const key of changeable) delete loaded[key];
  const { model, model_reasoning_effort, sandbox_mode, approval_policy, ...config } =
    first.config ?? {};
  return {
    ...loaded,
    ...(first.config === undefined ? {} : { config }),
    ...settingsOf(settings),
  };
}

/** Settings that a turn may have changed; those of the log count. */
const changeable = [
  "approval_policy",
  "approvals_reviewer",
  "sandbox_policy",
  "active_permission_profile",
] as const satisfies readonly (keyof ConfigureSessionOp)[];

function settingsOf({ cwd, model, effort, summary }: TurnContextItem): Partial<ConfigureSessionOp> {
  return {
    cwd,
    model,
    ...(effort == null ? {} : { model_reasoning_effort: effort }),
    ...(summary === undefined ? {} : { model_reasoning_summary: summary }),
  };
}

/** Returns the submission that continues a turn of a worker that was lost, as a part of the same trace. */
export function continuation(
  { turnId, events, submissionId }: OpenTurn,
  known: readonly At<SentSubmission>[],
  applied: ReadonlySet<number>,
): Submission {
  const submission = known.find(({ id }) => id === submissionId);
  const op = submission?.op;
  const schema = op !== undefined && "final_output_json_schema" in op ? op : {};
  const { final_output_json_schema } = schema as { final_output_json_schema?: unknown };
  const continued: ContinueTurnOp = {
    type: "continue_turn",
    turn_id: turnId,
    events: [...events],
    is_resubmitted: submission !== undefined && !applied.has(submission.position),
    ...(final_output_json_schema == null ? {} : { final_output_json_schema }),
  };
  const { trace } = submission ?? {};
  return { id: submissionId, op: continued, ...(trace === undefined ? {} : { trace }) };
}
