import { signal } from "@preact/signals";

/** Problem of the last action, shown until it is dismissed. */
export const problem = signal("");

/** Warnings about the setup, one a line; those that were dismissed before are not shown again. */
export const warnings = signal("");

export function warn(text: string): void {
  const known = [...warnings.value.split("\n"), ...readDismissed()];
  if (known.includes(text)) return;
  warnings.value = [warnings.value, text].filter((line) => line !== "").join("\n");
}

export function dismissWarnings(): void {
  try {
    const all = [...readDismissed(), ...warnings.value.split("\n")].slice(-mostDismissed);
    localStorage.setItem(dismissedKey, all.join("\n"));
  } catch {
    // They are shown again with the next connection.
  }
  warnings.value = "";
}

function readDismissed(): string[] {
  try {
    return (localStorage.getItem(dismissedKey) ?? "").split("\n");
  } catch {
    return [];
  }
}

const dismissedKey = "quire.dismissed";
const mostDismissed = 50;

/** Result of the last action, with a way to take it back; it disappears by itself. */
export const done = signal<{ text: string; undo?: () => void } | undefined>(undefined);
