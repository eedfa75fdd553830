import { signal } from "@preact/signals";
import type { Rewind } from "../rewind/rewind-steps.js";

/** The dialog that is open, if any. */
export const overlay = signal<
  "palette" | "shortcuts" | "tree" | { file: string } | { rewind: Rewind } | undefined
>(undefined);

export function openPalette(): void {
  overlay.value = "palette";
}

export function openShortcuts(): void {
  overlay.value = "shortcuts";
}

export function openFile(path: string): void {
  overlay.value = { file: path };
}

/** Shows what a rewind would change, and asks. */
export function openRewind(rewind: Rewind): void {
  overlay.value = { rewind };
}

export function openTree(): void {
  overlay.value = "tree";
}

export function closeOverlay(): void {
  overlay.value = undefined;
}
