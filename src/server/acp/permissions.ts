import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { spellHidden } from "../../lib/hidden-characters.js";
import { unwrapShell } from "../../lib/unwrap-shell.js";
import { permissionLines } from "../../protocol/permissions-text.js";
import { isRecord } from "../../protocol/read/check.js";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type {
  PermissionsRequestApprovalParams,
  PermissionsRequestApprovalResponse,
} from "../../protocol/rpc/v2/permissions.js";
import type {
  CommandExecutionRequestApprovalParams,
  CommandExecutionRequestApprovalResponse,
  FileChangeRequestApprovalParams,
  FileChangeRequestApprovalResponse,
} from "../../protocol/rpc/v2/requests.js";
import { outputContent, textContent, toToolCall } from "./tool-calls.js";

/** Asks the user to choose; resolves with the id of the option, or undefined if the turn is cancelled. */
export type AskPermission = (
  toolCall: ToolCallUpdate,
  options: readonly PermissionOption[],
) => Promise<string | undefined>;

/** Asks for approval of a command, with all decisions that the server offers. */
export async function askCommand(
  params: CommandExecutionRequestApprovalParams,
  item: ThreadItem | undefined,
  ask: AskPermission,
): Promise<CommandExecutionRequestApprovalResponse> {
  const command = unwrapShell(params.command ?? "");
  const prefix = offeredPrefix(params);
  const options: PermissionOption[] = [
    allowOnce("accept", "Allow once"),
    allowAlways("acceptForSession", "Allow this command for the session"),
    ...(prefix === undefined
      ? []
      : [allowAlways("always", `Always allow commands that start with \`${prefix.join(" ")}\``)]),
    ...refusals,
  ];
  const isInput = params.kind === "writeStdin";
  const place = params.cwd ? `In ${spellHidden(params.cwd)}` : "";
  const why = [params.reason, place].filter(Boolean).join("\n\n");
  const chosen = await ask(
    {
      ...callOf(item, params.itemId),
      title: isInput ? `Input to a running command: ${oneLine(command)}` : oneLine(command),
      kind: "execute",
      status: "pending",
      rawInput: { command: params.command, cwd: params.cwd },
      content: [outputContent(spellHidden(command)), ...(why ? [textContent(why)] : [])],
    },
    options,
  );
  if (chosen === "always" && prefix !== undefined) {
    const execpolicy_amendment = [...prefix];
    return { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment } } };
  }
  return { decision: decisionOf(chosen) };
}

/** Asks for approval of file changes, with the whole diff. */
export async function askFileChange(
  { itemId, reason, grantRoot }: FileChangeRequestApprovalParams,
  item: ThreadItem | undefined,
  ask: AskPermission,
): Promise<FileChangeRequestApprovalResponse> {
  const call = callOf(item, itemId);
  const root = grantRoot
    ? `Allowing it for the session makes ${spellHidden(grantRoot)} writable.`
    : "";
  const why = [reason, root].filter(Boolean).join("\n\n");
  const chosen = await ask(
    {
      title: "Change files",
      kind: "edit",
      ...call,
      status: "pending",
      content: [...(call.content ?? []), ...(why ? [textContent(why)] : [])],
    },
    [
      allowOnce("accept", "Allow once"),
      allowAlways("acceptForSession", "Allow changes of these files for the session"),
      ...refusals,
    ],
  );
  return { decision: decisionOf(chosen) };
}

/** Asks for additional permissions; grants all of the request, or none of it. */
export async function askPermissions(
  { itemId, reason, permissions }: PermissionsRequestApprovalParams,
  ask: AskPermission,
): Promise<PermissionsRequestApprovalResponse> {
  const lines = permissionLines(permissions).map((line) => `- ${spellHidden(line)}`);
  const chosen = await ask(
    {
      toolCallId: itemId,
      title: "Additional permissions",
      kind: "other",
      status: "pending",
      content: [textContent([...(reason ? [reason, ""] : []), ...lines].join("\n"))],
    },
    [
      allowOnce("accept", "Allow for this turn"),
      allowAlways("acceptForSession", "Allow for the session"),
      refusals[0],
    ],
  );
  if (chosen !== "accept" && chosen !== "acceptForSession") {
    return { permissions: {}, scope: "turn" };
  }
  const { network, fileSystem } = permissions;
  return {
    permissions: { ...(network ? { network } : {}), ...(fileSystem ? { fileSystem } : {}) },
    scope: chosen === "acceptForSession" ? "session" : "turn",
  };
}

const refusals = [
  { optionId: "decline", name: "Decline and continue", kind: "reject_once" },
  { optionId: "cancel", name: "Decline and stop", kind: "reject_once" },
] as const satisfies PermissionOption[];

function allowOnce(optionId: string, name: string): PermissionOption {
  return { optionId, name, kind: "allow_once" };
}

function allowAlways(optionId: string, name: string): PermissionOption {
  return { optionId, name, kind: "allow_always" };
}

/** An unknown answer is no approval; without an answer the turn was cancelled. */
function decisionOf(chosen: string | undefined) {
  if (chosen === undefined || chosen === "cancel") return "cancel";
  return chosen === "accept" || chosen === "acceptForSession" ? chosen : "decline";
}

/** Returns the command prefix that can be allowed from now on; the server decides which are safe. */
function offeredPrefix({
  proposedExecpolicyAmendment: prefix,
  availableDecisions,
}: CommandExecutionRequestApprovalParams): readonly string[] | undefined {
  const isOffered = availableDecisions?.some(
    (decision) => isRecord(decision) && "acceptWithExecpolicyAmendment" in decision,
  );
  return prefix && prefix.length > 0 && (isOffered ?? true) ? prefix : undefined;
}

function callOf(item: ThreadItem | undefined, toolCallId: string): ToolCallUpdate {
  return { ...(item && toToolCall(item)), toolCallId };
}

function oneLine(command: string): string {
  return spellHidden(command).replaceAll(/\s*\n\s*/g, " ↵ ");
}
