import { basename, extname, isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  ContentBlock,
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolKind,
} from "@agentclientprotocol/sdk";
import { spellHidden } from "../../lib/hidden-characters.js";
import { splitText } from "../../lib/text.js";
import { unwrapShell } from "../../lib/unwrap-shell.js";
import { pictureText } from "../../protocol/picture-text.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  CommandExecutionItem,
  FileChangeItem,
  ImageGenerationItem,
  ThreadItem,
} from "../../protocol/rpc/v2/item.js";
import type { CommandAction } from "../../protocol/rpc/v2/item-parts.js";
import { toDiffs, toLocations } from "./diff-content.js";

/** Converts an item to a tool call of ACP; undefined for messages and reasoning. */
export function toToolCall(item: ThreadItem): ToolCall | undefined {
  const described = describe(item);
  if (described === undefined) return undefined;
  const { title, ...others } = described;
  return { toolCallId: item.id, title: oneLine(title), ...others };
}

type Described = Omit<ToolCall, "toolCallId">;

function describe(item: ThreadItem): Described | undefined {
  switch (item.type) {
    case "commandExecution":
      return commandCall(item);
    case "fileChange":
      return fileCall(item);
    case "mcpToolCall": {
      const { server, tool, result, error } = item;
      return {
        title: `${server}: ${tool}`,
        kind: item.readOnlyHint === true ? "read" : "other",
        status: statusOf(item.status),
        rawInput: item.arguments,
        content: error ? [textContent(error.message)] : mcpContent(result?.content ?? []),
      };
    }
    case "dynamicToolCall":
      return {
        title: item.tool,
        kind: "other",
        status: statusOf(item.status),
        rawInput: item.arguments,
        content: (item.contentItems ?? []).flatMap((part) =>
          part.type === "inputText" ? [textContent(part.text)] : [],
        ),
      };
    case "webSearch":
      return webCall(item);
    case "imageView":
      return {
        title: `View ${item.path}`,
        kind: "read",
        status: "completed",
        locations: [{ path: item.path }],
      };
    case "imageGeneration":
      return imageCall(item);
    case "collabAgentToolCall":
      return {
        title: agentTitles[item.tool],
        kind: "think",
        status: statusOf(item.status),
        content: item.prompt === null ? [] : [textContent(item.prompt)],
      };
    case "subAgentActivity":
      return { title: `Agent ${item.agentPath} ${item.kind}`, kind: "think", status: "completed" };
    case "sleep":
      return { title: `Wait ${item.durationMs} ms`, kind: "other", status: "completed" };
    case "functionCallOutput":
      return { title: item.name, kind: "other", status: "completed" };
    default:
      return undefined;
  }
}

const agentTitles = {
  spawnAgent: "Start an agent",
  sendInput: "Send a message to an agent",
  resumeAgent: "Resume an agent",
  wait: "Wait for agents",
  closeAgent: "Close an agent",
};

function commandCall(item: CommandExecutionItem): Described {
  const { command, cwd, commandActions, aggregatedOutput, exitCode } = item;
  return {
    title: unwrapShell(command),
    kind: kindOf(commandActions),
    status: statusOf(item.status),
    locations: readFiles(commandActions),
    rawInput: { command, cwd },
    content: aggregatedOutput === null ? [] : [outputContent(aggregatedOutput)],
    ...(exitCode === null ? {} : { rawOutput: { exitCode, durationMs: item.durationMs } }),
  };
}

function kindOf(actions: readonly CommandAction[]): ToolKind {
  const types = new Set(actions.map(({ type }) => type));
  if (types.size === 0 || types.has("unknown")) return "execute";
  return types.size === 1 && types.has("read") ? "read" : "search";
}

function readFiles(actions: readonly CommandAction[]): ToolCallLocation[] {
  return actions.flatMap((action) =>
    action.type === "read" && isAbsolute(action.path) ? [{ path: action.path }] : [],
  );
}

function fileCall({ changes, status }: FileChangeItem): Described {
  const [first] = changes;
  const kinds = new Set(changes.map(({ kind }) => kind.type));
  const verb = kinds.size === 1 && kinds.has("delete") ? "Delete" : "Edit";
  const what = changes.length === 1 && first ? first.path : `${changes.length} files`;
  return {
    title: `${verb} ${what}`,
    kind: verb === "Delete" ? "delete" : "edit",
    status: statusOf(status),
    content: toDiffs(changes),
    locations: toLocations(changes),
  };
}

function webCall({ query, action }: Extract<ThreadItem, { type: "webSearch" }>): Described {
  const status = action === null && query === "" ? "in_progress" : "completed";
  if (action?.type === "openPage" || action?.type === "findInPage") {
    return { title: `Open ${action.url ?? "a page"}`, kind: "fetch", status };
  }
  return {
    title: query === "" ? "Search the web" : `Search the web: ${query}`,
    kind: "search",
    status,
  };
}

function imageCall(item: ImageGenerationItem): Described {
  const { revisedPrompt, savedPath } = item;
  return {
    title: revisedPrompt === null ? "Generate a picture" : `Generate a picture: ${revisedPrompt}`,
    kind: "other",
    status: statusOf(pictureText(item).status),
    locations: savedPath === undefined ? [] : [{ path: savedPath }],
    content:
      savedPath === undefined
        ? []
        : [{ type: "content", content: pictureBlock(savedPath, item.result) }],
  };
}

/** Editors of another machine cannot read the file, so a picture is sent whole while it is known. */
function pictureBlock(path: string, data: string): ContentBlock {
  const uri = pathToFileURL(path).href;
  const mimeType = pictureTypes[extname(path)] ?? "image/png";
  return data === ""
    ? { type: "resource_link", uri, name: basename(path), mimeType }
    : { type: "image", data, mimeType, uri };
}

const pictureTypes: Record<string, string> = { ".jpg": "image/jpeg", ".webp": "image/webp" };

function statusOf(status: "inProgress" | "completed" | "failed" | "declined"): ToolCallStatus {
  if (status === "inProgress") return "in_progress";
  return status === "completed" ? "completed" : "failed";
}

/** Returns the content with the output of a command, without the middle of a long one. */
export function outputContent(output: string): ToolCallContent {
  const { head, tail, removedChars } = splitText(output, mostOutput / 2, mostOutput / 2);
  const text = removedChars === 0 ? output : `${head}\n… ${removedChars} characters …\n${tail}`;
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return textContent(`${fence}\n${text.replace(/\n$/, "")}\n${fence}`);
}

const mostOutput = 64 * 1024;

/** Returns content with a text. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** Converts the result of an MCP tool. Its content blocks are those of ACP; unknown ones are shown as JSON. */
function mcpContent(content: readonly unknown[]): ToolCallContent[] {
  return content.map((block) =>
    isBlock(block)
      ? { type: "content", content: block }
      : textContent(JSON.stringify(block).slice(0, mostOutput)),
  );
}

function isBlock(block: unknown): block is ContentBlock {
  if (!isRecord(block)) return false;
  const { type, text, data, mimeType, uri, name } = block;
  if (type === "text") return typeof text === "string";
  if (type === "image" || type === "audio") {
    return typeof data === "string" && typeof mimeType === "string";
  }
  return type === "resource_link" && typeof uri === "string" && typeof name === "string";
}

/** Titles are one line, in which nothing is hidden. */
function oneLine(title: string): string {
  return spellHidden(title)
    .replaceAll(/\s*\n\s*/g, " ↵ ")
    .trim();
}
