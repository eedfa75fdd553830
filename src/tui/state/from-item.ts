import { pictureText } from "../../protocol/picture-text.js";
import { BlockStream } from "../markdown/blocks.js";
import type { WebSearchAction, WireItem } from "../wire.js";
import type { Cell } from "./cell.js";
import { CommandOutput } from "./command-output.js";

/** Converts a completed item to cells. */
export function cellsOfItem(item: WireItem): Cell[] {
  switch (item.type) {
    case "userMessage":
      return [{ kind: "user", input: item.content }];
    case "agentMessage":
      return blocksOf(item.text, true);
    case "plan":
      return [{ kind: "proposal" }, ...blocksOf(item.text, false)];
    case "answeredQuestions":
      return [{ kind: "answers", questions: item.questions }];
    case "reasoning": {
      const parts = item.summary?.length ? item.summary : (item.content ?? []);
      const text = parts.join("\n\n");
      return text.trim() === "" ? [] : [{ kind: "reasoning", text }];
    }
    case "commandExecution": {
      const output = new CommandOutput();
      output.push(item.aggregatedOutput ?? "");
      const rest = { ...item, aggregatedOutput: null };
      return [{ kind: "command", item: rest, output, startedAt: 0, isDone: true }];
    }
    case "fileChange":
      return [{ kind: "patch", changes: item.changes, status: item.status }];
    case "mcpToolCall":
      return [{ kind: "mcp", item, progress: undefined, startedAt: 0 }];
    case "dynamicToolCall":
      return [
        {
          kind: "tool",
          title: `Called ${item.tool}`,
          detail: argumentsText(item.arguments),
          status: item.status,
        },
      ];
    case "webSearch":
      return [{ kind: "tool", ...searchText(item.query ?? "", item.action), status: "completed" }];
    case "imageView":
      return [
        {
          kind: "tool",
          title: "Viewed",
          detail: item.path,
          status: "completed",
          imagePath: item.path,
        },
      ];
    case "imageGeneration":
      return [
        {
          kind: "tool",
          title: "Generated",
          ...pictureText(item),
          ...(item.result ? { image: item.result } : {}),
        },
      ];
    case "enteredReviewMode":
      return [{ kind: "review", hasEnded: false, text: item.review }];
    case "exitedReviewMode":
      return [{ kind: "review", hasEnded: true, text: item.review }];
    case "contextCompaction":
      return [{ kind: "notice", level: "info", text: "Context compacted" }];
    case "hookPrompt": {
      const texts = item.fragments.map(({ text }) => text);
      return [{ kind: "notice", level: "info", text: `Stop hook: ${texts.join("\n")}` }];
    }
    case "subAgentActivity":
      return [
        {
          kind: "tool",
          title: activityTitles[item.kind],
          detail: item.agentPath,
          status: "completed",
        },
      ];
    case "collabAgentToolCall":
      return [{ kind: "tool", title: collabTitles[item.tool], detail: "", status: item.status }];
    case "functionCallOutput":
      return [{ kind: "tool", title: "Tool output", detail: item.name, status: "completed" }];
    case "sleep": {
      const status = item.completedAtMs === null ? "inProgress" : "completed";
      return [{ kind: "tool", title: "Sleep", detail: `${item.durationMs / 1000} s`, status }];
    }
    default:
      return [];
  }
}

const activityTitles = {
  started: "Started agent",
  interacted: "Sent a message to agent",
  interrupted: "Interrupted agent",
  completed: "Agent finished:",
} as const;

const collabTitles = {
  spawnAgent: "Started an agent",
  sendInput: "Sent input to an agent",
  resumeAgent: "Resumed an agent",
  wait: "Waited for agents",
  closeAgent: "Closed an agent",
} as const;

/** Returns whether an item is only shown once it is complete. */
export function isShownWhenDone(item: WireItem): boolean {
  const { type } = item;
  return (
    type === "userMessage" ||
    type === "exitedReviewMode" ||
    type === "enteredReviewMode" ||
    type === "contextCompaction" ||
    type === "hookPrompt" ||
    type === "answeredQuestions"
  );
}

function blocksOf(text: string, hasBullet: boolean): Cell[] {
  const blocks = new BlockStream();
  return [...blocks.push(text), ...blocks.end()].map((block, index) => ({
    kind: "agent",
    isFirst: hasBullet && index === 0,
    ...block,
  }));
}

function searchText(
  query: string,
  action: WebSearchAction | null | undefined,
): { title: string; detail: string } {
  if (action?.type === "openPage") return { title: "Opened", detail: action.url ?? query };
  if (action?.type === "findInPage") {
    return { title: "Searched for", detail: `${action.pattern ?? ""} in ${action.url ?? query}` };
  }
  const { query: asked = null, queries = null } = action?.type === "search" ? action : {};
  return { title: "Searched the web for", detail: query || asked || queries?.join(", ") || "" };
}

function argumentsText(value: unknown): string {
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
