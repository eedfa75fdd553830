import { BlockStream } from "../markdown/blocks.js";
import type { WireItem } from "../wire.js";
import type { AgentCell, Cell, CommandCell, McpCell, PatchCell } from "./cell.js";
import { CommandOutput } from "./command-output.js";
import { cellsOfItem, isShownWhenDone } from "./from-item.js";

/** An item while it runs. */
export interface LiveItem {
  cell(): Cell | undefined;
  /** More of it; returns what became finished by that. */
  delta(text: string): Cell[];
  /** Its end; without an item the turn ended before it, by itself or because it was stopped. */
  complete(item: WireItem | undefined, isStopped?: boolean): Cell[];
}

/** Begins to show an item; nothing when there is nothing to show before its end. */
export function startLive(item: WireItem, now: number): LiveItem | undefined {
  switch (item.type) {
    case "agentMessage":
    case "plan":
      return liveMessage();
    case "reasoning":
      return liveReasoning();
    case "commandExecution": {
      const output = new CommandOutput();
      return liveCommand({ kind: "command", item, output, startedAt: now, isDone: false });
    }
    case "fileChange": {
      const { changes, status } = item;
      return liveCell<PatchCell>({ kind: "patch", changes, status });
    }
    case "mcpToolCall":
      return liveCell<McpCell>({ kind: "mcp", item, progress: undefined, startedAt: now });
    default: {
      if (isShownWhenDone(item)) return undefined;
      const [cell] = cellsOfItem(item);
      return cell === undefined ? undefined : liveCell(cell);
    }
  }
}

/** A message that is being said. */
export function liveMessage(): LiveItem {
  const message = new AgentMessage();
  return {
    cell: () => message.live(),
    delta: (text) => message.push(text),
    complete: (item) => message.complete(item !== undefined && "text" in item ? item.text : ""),
  };
}

/** How much of thoughts that still grow is shown: more than a screen holds. */
const thoughtLimit = 4000;

/** Thoughts that are being thought. */
export function liveReasoning(): LiveItem {
  let text = "";
  return {
    cell: () => (text === "" ? undefined : { kind: "reasoning", text: text.slice(-thoughtLimit) }),
    delta(more) {
      text += more;
      return [];
    },
    complete(item) {
      if (item !== undefined) return cellsOfItem(item);
      return text === "" ? [] : [{ kind: "reasoning", text }];
    },
  };
}

function liveCommand(cell: CommandCell): LiveItem {
  return {
    cell: () => cell,
    delta(text) {
      cell.output.push(text);
      return [];
    },
    complete(item, isStopped = true) {
      cell.isDone = true;
      if (item?.type !== "commandExecution") {
        // A turn may end and leave a command running, such as a server that was asked for.
        cell.item = { ...cell.item, status: isStopped ? "failed" : "inProgress" };
        return [cell];
      }
      // What it printed is kept once, and no more of it than can be shown.
      cell.item = { ...item, aggregatedOutput: null };
      // The end may repeat only a part, and the stream may have begun late: the longer one counts.
      const whole = item.aggregatedOutput ?? "";
      if (whole.length >= cell.output.length) {
        cell.output = new CommandOutput();
        cell.output.push(whole);
      }
      return [cell];
    },
  };
}

function liveCell<Kind extends Cell>(cell: Kind): LiveItem {
  return {
    cell: () => cell,
    delta: () => [],
    complete: (item) => (item === undefined ? [cell] : cellsOfItem(item)),
  };
}

/** How much of a block that still grows is shown: more than a screen holds. */
const liveLimit = 4000;

/** What the agent says while it says it: finished blocks leave, the last one is shown as it grows. */
class AgentMessage {
  readonly #blocks = new BlockStream();
  #length = 0;
  #isFirst = true;

  /** Takes more text; returns the blocks that can be printed. */
  push(delta: string): AgentCell[] {
    this.#length += delta.length;
    return this.#blocks.push(delta).map((block) => this.#cell(block));
  }

  /**
   * Takes the whole text at the end, of which nothing but the rest is still unknown; returns the
   * blocks that were left.
   */
  complete(text: string): AgentCell[] {
    const rest = this.push(text.slice(this.#length));
    return [...rest, ...this.#blocks.end().map((block) => this.#cell(block))];
  }

  /** The block that still grows, or nothing. */
  live(): AgentCell | undefined {
    if (this.#blocks.isEmpty) return undefined;
    return { kind: "agent", isFirst: this.#isFirst, ...this.#blocks.live(liveLimit) };
  }

  #cell(block: { source: string; isTight: boolean }): AgentCell {
    const cell: AgentCell = { kind: "agent", isFirst: this.#isFirst, ...block };
    this.#isFirst = false;
    return cell;
  }
}
