import type { Turn } from "./rpc/v2/turn.js";

/** A thread in an exported file. */
export interface ExportedThread {
  id: string;
  /** Name, or first words. */
  title: string;
  cwd: string;
  /** Unix seconds. */
  createdAt: number;
  turns: Turn[];
}
