import type { ServerNotification } from "../../client/index.js";
import { printable, shortenLines } from "../../lib/text.js";
import { describeAutoReview } from "../../protocol/auto-review-text.js";
import { describeHookRunWithFile } from "../../protocol/hook-run-text.js";
import { pictureText } from "../../protocol/picture-text.js";
import type * as wire from "../../protocol/rpc/v2/item.js";
import type { TurnError, TurnPlanStep } from "../../protocol/rpc/v2/turn.js";
import { formatTokens } from "../../protocol/token-usage.js";
import type { CommandIo } from "../command.js";
import { productTitle } from "../identity.js";
import type { OpenedThread } from "./connect.js";
import type { Printer } from "./printer.js";

/**
 * Prints a run for people: progress on standard error, the final message on standard output.
 *
 * Texts are made printable also in a pipe: a file or a log may be shown on a terminal later.
 */
export function textPrinter(
  { stdout, stderr }: Pick<CommandIo, "stdout" | "stderr">,
  { version, hasColor }: { version: string; hasColor: boolean },
): Printer {
  const paint = painter(hasColor);
  const write = (...lines: string[]) => {
    for (const line of lines) stderr.write(`${line}\n`);
  };
  const note = (label: string, text: string) =>
    write(`${paint("yellow", label)} ${printable(text)}`);
  let used: number | undefined;
  let shown: string | undefined;
  let hasStarted = false;
  const print = (notification: ServerNotification) => {
    switch (notification.method) {
      case "item/started":
        return write(...startedLines(notification.params.item, paint));
      case "item/completed":
        if (notification.params.item.type === "agentMessage") shown = notification.params.item.text;
        return write(...completedLines(notification.params.item, paint));
      case "turn/plan/updated":
        return write(...planLines(notification.params, paint));
      case "thread/tokenUsage/updated": {
        const { total } = notification.params.tokenUsage;
        used = total.inputTokens - total.cachedInputTokens + total.outputTokens;
        return;
      }
      case "error":
        return write(
          `${paint("bold red", "ERROR:")} ${printable(errorText(notification.params.error))}`,
        );
      case "warning":
        return note("warning:", notification.params.message);
      case "hook/completed": {
        const text = describeHookRunWithFile(notification.params.run);
        return text === undefined ? undefined : note("hook:", text);
      }
      case "turn/started":
        hasStarted = true;
        return;
      case "item/autoApprovalReview/completed":
        // Before the turn come the denials of earlier ones, for clients that can overrule them.
        if (!hasStarted) return;
        return note("review:", describeAutoReview(notification.params));
      case "configWarning":
      case "deprecationNotice": {
        const { summary, details } = notification.params;
        return note("warning:", details ? `${summary} (${details})` : summary);
      }
    }
  };
  return {
    begin: (thread, prompt) =>
      write(...headLines(thread, version, paint), paint("cyan", "user"), printable(prompt)),
    notification: print,
    warn: (message) => note("warning:", message),
    end(lastMessage) {
      if (used !== undefined) write(paint("dim", "tokens used"), formatTokens(used));
      if (lastMessage === undefined) return;
      // On the same terminal the message is already visible, unless no item showed it.
      if (stdout.isTTY && stderr.isTTY && lastMessage === shown) return;
      stdout.write(`${printable(lastMessage)}\n`);
    },
  };
}

function headLines(opened: OpenedThread, version: string, paint: Paint): string[] {
  const { thread, cwd, model, modelProvider, approvalPolicy, sandbox, reasoningEffort } = opened;
  const entries = {
    workdir: cwd,
    model,
    provider: modelProvider,
    approval: typeof approvalPolicy === "string" ? approvalPolicy : "granular",
    sandbox: sandboxNames[sandbox.type],
    "reasoning effort": reasoningEffort ?? "none",
    "session id": thread.id,
  };
  const lines = Object.entries(entries).map(
    ([name, value]) => `${paint("bold", `${name}:`)} ${value}`,
  );
  return [productTitle(version), "--------", ...lines, "--------"];
}

const sandboxNames = {
  dangerFullAccess: "danger-full-access",
  readOnly: "read-only",
  externalSandbox: "external-sandbox",
  workspaceWrite: "workspace-write",
};

function planLines(
  { explanation, plan }: { explanation: string | null; plan: readonly TurnPlanStep[] },
  paint: Paint,
): string[] {
  const marks = { completed: paint("green", "✓"), inProgress: paint("cyan", "→"), pending: "•" };
  return [
    ...(explanation ? [printable(explanation)] : []),
    ...plan.map(({ step, status }) => `  ${marks[status]} ${printable(step)}`),
  ];
}

function errorText({ message, additionalDetails }: TurnError): string {
  return additionalDetails ? `${message} (${additionalDetails})` : message;
}

function painter(hasColor: boolean): Paint {
  if (!hasColor) return (_, text) => text;
  return (style, text) => {
    const codes = style.split(" ").map((name) => styles[name as keyof typeof styles]);
    return `\x1b[${codes.join(";")}m${text}\x1b[0m`;
  };
}

const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 };

/** Applies a style to text, or returns it unchanged. */
type Paint = (style: string, text: string) => string;

/** Lines for a started item. */
function startedLines(item: wire.ThreadItem, paint: Paint): string[] {
  switch (item.type) {
    case "commandExecution":
      return [paint("magenta", "exec"), `${paint("bold", printable(item.command))} in ${item.cwd}`];
    case "mcpToolCall":
      return [`${paint("bold", "mcp:")} ${printable(`${item.server}/${item.tool}`)} started`];
    default:
      return [];
  }
}

/** Lines for a completed item. */
function completedLines(item: wire.ThreadItem, paint: Paint): string[] {
  switch (item.type) {
    case "agentMessage":
      return [paint("magenta", "codex"), printable(item.text)];
    case "reasoning":
      return item.summary.length === 0 ? [] : [paint("dim", printable(item.summary.join("\n")))];
    case "commandExecution":
      return commandLines(item, paint);
    case "fileChange":
      return [
        `${paint("bold", "patch:")} ${item.status}`,
        ...item.changes.map(({ path, kind }) => `${kindLetters[kind.type]} ${printable(path)}`),
      ];
    case "mcpToolCall":
      return [
        `${paint("bold", "mcp:")} ${printable(`${item.server}/${item.tool}`)} (${item.status})`,
        ...(item.error == null ? [] : [paint("red", printable(item.error.message))]),
      ];
    case "webSearch":
      return [`${paint("bold", "web search:")} ${printable(item.query)}`];
    case "imageGeneration":
      return [`${paint("bold", "image:")} ${printable(pictureText(item).detail)}`];
    case "contextCompaction":
      return [paint("dim", "context compacted")];
    case "hookPrompt":
      return item.fragments.map(({ text }) => `${paint("bold", "Stop hook:")} ${printable(text)}`);
    case "subAgentActivity":
      return [`${paint("bold", "agent:")} ${printable(item.agentPath)} ${item.kind}`];
    default:
      return [];
  }
}

function commandLines(item: wire.CommandExecutionItem, paint: Paint): string[] {
  const after = item.durationMs == null ? "" : ` in ${item.durationMs}ms`;
  const output = item.aggregatedOutput ?? "";
  return [
    endOfCommand(item, after, paint),
    ...(output.trim() === "" ? [] : [printable(shortenLines(output.replace(/\n$/, "")))]),
  ];
}

function endOfCommand(
  { status, exitCode }: wire.CommandExecutionItem,
  after: string,
  paint: Paint,
): string {
  if (status === "completed") return paint("green", ` succeeded${after}:`);
  if (status === "declined") return paint("yellow", ` declined${after}:`);
  return paint("red", ` exited ${exitCode ?? 1}${after}:`);
}

const kindLetters = { add: "A", delete: "D", update: "M" };
