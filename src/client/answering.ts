import { CodexError } from "../protocol/error.js";
import type { FileUpdateChange } from "../protocol/rpc/v2/item-parts.js";
import type {
  PermissionsRequestApprovalParams,
  PermissionsRequestApprovalResponse,
} from "../protocol/rpc/v2/permissions.js";
import type {
  CommandExecutionRequestApprovalParams,
  CommandExecutionRequestApprovalResponse,
  DynamicToolCallParams,
  DynamicToolCallResponse,
  FileChangeRequestApprovalParams,
  FileChangeRequestApprovalResponse,
} from "../protocol/rpc/v2/requests.js";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  toCommandRequest,
  toFileChangeRequest,
  toPermissionsRequest,
  wireDecisions,
} from "./approvals.js";
import type { ServerNotification } from "./messages.js";
import { callOwnTool, type OwnTool } from "./own-tools.js";

/** Answers what the server asks during one turn of a thread: by its approver and its own tools. */
export class Answering {
  readonly #onApproval: Approver | undefined;
  readonly #tools: readonly OwnTool[];
  readonly #changes = new Map<string, readonly FileUpdateChange[]>();
  /** Set when the approver threw or returned no decision; the turn ends for it. */
  fault: ApproverFault | undefined;

  constructor({ onApproval, tools }: AnsweringOptions) {
    this.#onApproval = onApproval;
    this.#tools = tools ?? [];
  }

  /** Remembers which changes an item is about, for questions name the item only. */
  hear(notification: ServerNotification): void {
    if (notification.method !== "item/started") return;
    const { item } = notification.params;
    if (item.type === "fileChange") this.#changes.set(item.id, item.changes);
  }

  approveCommand(
    params: CommandExecutionRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<CommandExecutionRequestApprovalResponse> {
    return this.#answer(toCommandRequest(params), signal);
  }

  approveFileChange(
    params: FileChangeRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<FileChangeRequestApprovalResponse> {
    const changes = this.#changes.get(params.itemId) ?? [];
    return this.#answer(toFileChangeRequest(params, changes), signal);
  }

  /** Nothing means that the turn is to end, which no answer to this question says. */
  async approvePermissions(
    params: PermissionsRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<PermissionsRequestApprovalResponse | undefined> {
    const decision = await this.#decide(toPermissionsRequest(params), signal);
    if (decision === "abort") return undefined;
    if (decision === "deny") return { permissions: {}, scope: "turn" };
    const scope = decision === "approve_for_session" ? "session" : "turn";
    return { permissions: params.permissions, scope };
  }

  callTool(params: DynamicToolCallParams, signal: AbortSignal): Promise<DynamicToolCallResponse> {
    return callOwnTool(this.#tools, params, signal);
  }

  async #answer(request: ApprovalRequest, signal: AbortSignal) {
    return { decision: wireDecisions[await this.#decide(request, signal)] };
  }

  async #decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (this.#onApproval === undefined) return "deny";
    try {
      return checkDecision(await this.#onApproval(request, signal));
    } catch (cause) {
      this.fault ??= new ApproverFault("The approver failed", { cause });
      return "abort";
    }
  }
}

/** Carries what an approver threw to the caller of the turn. */
export class ApproverFault extends Error {}

/** Programs without types can return anything: a wrong word must not pass for a decision. */
function checkDecision(decision: ApprovalDecision): ApprovalDecision {
  if (Object.hasOwn(wireDecisions, decision)) return decision;
  const known = Object.keys(wireDecisions)
    .map((name) => JSON.stringify(name))
    .join(", ");
  throw new CodexError(
    "invalid_request",
    `Expected \`onApproval\` to return one of ${known} (got ${JSON.stringify(decision)})`,
  );
}

/** Who decides, and which tools there are. */
export interface AnsweringOptions {
  onApproval?: Approver;
  tools?: readonly OwnTool[];
}
