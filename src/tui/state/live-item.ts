import { type Block, BlockStream } from "../markdown/blocks.js";
import type { WireItem } from "../wire.js";
import type { AgentCell, Cell, CommandCell, McpCell, PatchCell } from "./cell.js";
import { CommandOutput } from "./command-output.js";
import { cellsOfItem, isShownWhenDone } from "./from-item.js";

/** An item that is running. */
export interface LiveItem {
  cell(): Cell | undefined;
  /** Adds text or output; returns the cells that it completed. */
  delta(text: string): Cell[];
  /** Completes the item; without an item, its turn ended first, completed or stopped. */
  complete(item: WireItem | undefined, isStopped?: boolean): Cell[];
  /** Completes the text so far, because another item follows it; more may come. */
  flush?(): Cell[];
}

/** Starts to show an item; returns undefined if it is only shown once complete. */
export function startLive(item: WireItem, now: number): LiveItem | undefined {
  switch (item.type) {
    case "agentMessage":
      return liveMessage();
    case "plan":
      return liveProposal();
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

/** Creates a streaming message. */
export function liveMessage(): LiveItem {
  const message = new AgentMessage(true);
  return {
    cell: () => message.live(),
    delta: (text) => message.push(text),
    complete: (item) => message.complete(item !== undefined && "text" in item ? item.text : ""),
    flush: () => message.flush(),
  };
}

/** Creates a streaming plan, below its heading. */
export function liveProposal(): LiveItem {
  const message = new AgentMessage(false);
  let hasHeading = false;
  const below = (cells: Cell[]): Cell[] => {
    if (hasHeading || cells.length === 0) return cells;
    hasHeading = true;
    return [{ kind: "proposal" }, ...cells];
  };
  return {
    cell: () => (hasHeading ? message.live() : { kind: "proposal" }),
    delta: (text) => below(message.push(text)),
    complete: (item) =>
      below(message.complete(item !== undefined && "text" in item ? item.text : "")),
  };
}

/** Characters of streaming reasoning that are rendered; more than a screen holds. */
const thoughtLimit = 4000;

/** Creates streaming reasoning. */
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
        // A turn can leave a command running, such as a dev server.
        cell.item = { ...cell.item, status: isStopped ? "failed" : "inProgress" };
        return [cell];
      }
      // Do not keep the output twice.
      cell.item = { ...item, aggregatedOutput: null };
      // The final output may be partial, and the stream may have started late: use the longer one.
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

/** Characters of an incomplete block that are rendered; more than a screen holds. */
const liveLimit = 4000;

/** A streaming agent message: complete blocks become cells, the last one is live. */
class AgentMessage {
  readonly #blocks = new BlockStream({ splitsCode: true });
  #length = 0;
  #isFirst: boolean;
  readonly #hasBullet: boolean;

  constructor(hasBullet: boolean) {
    this.#hasBullet = hasBullet;
    this.#isFirst = hasBullet;
  }

  /** Adds text; returns the blocks that it completed. */
  push(delta: string): AgentCell[] {
    this.#length += delta.length;
    return this.#blocks.push(delta).map((block) => this.#cell(block));
  }

  /**
   * Ends the message with its full text, which the deltas may not have covered; returns the
   * remaining blocks.
   */
  complete(text: string): AgentCell[] {
    const rest = this.push(text.slice(this.#length));
    return [...rest, ...this.#blocks.end().map((block) => this.#cell(block))];
  }

  /** Returns the incomplete block, if there is one. */
  live(): AgentCell | undefined {
    if (this.#blocks.isEmpty) return undefined;
    return { kind: "agent", isFirst: this.#isFirst, ...this.#blocks.live(liveLimit) };
  }

  /** Ends the current block; what follows starts like a message. */
  flush(): AgentCell[] {
    const cells = this.#blocks.end().map((block) => this.#cell(block));
    if (cells.length > 0) this.#isFirst = this.#hasBullet;
    return cells;
  }

  #cell(block: Block): AgentCell {
    const cell: AgentCell = { kind: "agent", isFirst: this.#isFirst, ...block };
    this.#isFirst = false;
    return cell;
  }
}
