import { computed, signal } from "@preact/signals";
import type { ServerQuestion, ServerRequestHandlers } from "../../client/index.js";
import type { PermissionsRequestApprovalParams } from "../../protocol/rpc/v2/permissions.js";
import type {
  CommandExecutionRequestApprovalParams,
  FileChangeRequestApprovalParams,
  McpServerElicitationRequestParams,
  ToolRequestUserInputParams,
} from "../../protocol/rpc/v2/requests.js";

/** A question of the server that waits for the user; that of an agent belongs to the thread of its root. */
export type PendingRequest = { key: string; threadId: string; answer(result: unknown): void } & (
  | { kind: "command"; params: CommandExecutionRequestApprovalParams }
  | { kind: "fileChange"; params: FileChangeRequestApprovalParams }
  | { kind: "permissions"; params: PermissionsRequestApprovalParams }
  | { kind: "questions"; params: ToolRequestUserInputParams }
  | { kind: "elicitation"; params: McpServerElicitationRequestParams }
);

/** All pending questions, oldest first. */
export const requests = signal<readonly PendingRequest[]>([]);

/** Threads with a pending question. */
export const waitingThreads = computed(
  () => new Set(requests.value.map(({ threadId }) => threadId)),
);

/** Returns the pending questions of a thread and of the helper agents that work for it. */
export function requestsOf(id: string): PendingRequest[] {
  return requests.value.filter(({ threadId, params }) => [threadId, params.threadId].includes(id));
}

/** Handlers that put a question up until it is answered here or settled elsewhere. */
export const requestHandlers: ServerRequestHandlers = {
  "item/commandExecution/requestApproval": asking("command"),
  "item/fileChange/requestApproval": asking("fileChange"),
  "item/permissions/requestApproval": asking("permissions"),
  "item/tool/requestUserInput": asking("questions"),
  "mcpServer/elicitation/request": asking("elicitation"),
};

let count = 0;

function asking(kind: PendingRequest["kind"]) {
  return (
    params: { threadId: string; rootThreadId?: string },
    { signal: settled }: ServerQuestion,
  ) =>
    new Promise<never>((resolve, reject) => {
      const key = `request-${++count}`; // ids of the server begin again with each connection
      const remove = () => {
        requests.value = requests.value.filter((request) => request.key !== key);
      };
      const answer = (result: unknown) => {
        remove();
        resolve(result as never); // each kind is answered by the form for it
      };
      const threadId = params.rootThreadId ?? params.threadId;
      const request = { kind, key, threadId, params, answer } as PendingRequest;
      requests.value = [...requests.value, request];
      settled.addEventListener("abort", () => {
        remove();
        reject(settled.reason);
      });
    });
}
