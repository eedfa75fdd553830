import { ProcessTerminal as PiTerminal } from "../pi.js";

/**
 * The terminal of the process.
 *
 * Asks the system for the size before each frame: the signal of a resize may come late, and a frame in the
 * old width would wrap.
 */
export class ProcessTerminal extends PiTerminal {
  override get columns(): number {
    const { stdout } = process as { stdout: { _refreshSize?: () => void } };
    stdout._refreshSize?.();
    return super.columns;
  }
}
