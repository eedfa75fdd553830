import { signal } from "@preact/signals";

/** Folder of the shown thread. */
export const shownFolder = signal<string | undefined>(undefined);

/** Returns a path as it is shown: from the folder of the thread, if it is in there. */
export function shownPath(path: string): string {
  const cwd = shownFolder.value;
  return cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}
