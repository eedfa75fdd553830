import { BlockStream } from "../markdown/blocks.js";
import type { AgentCell } from "./cell.js";

/** How much of a block that still grows is shown: more than a screen holds. */
const liveLimit = 4000;

/** What the agent says while it says it: finished blocks leave, the last one is shown as it grows. */
export class AgentMessage {
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
