import { signal } from "@preact/signals";

/** The dialog that is open, if any. */
export const overlay = signal<"palette" | "shortcuts" | undefined>(undefined);

export function openPalette(): void {
  overlay.value = "palette";
}

export function openShortcuts(): void {
  overlay.value = "shortcuts";
}

export function closeOverlay(): void {
  overlay.value = undefined;
}
