import { openView } from "./app.js";

/** Returns a path as it is shown: from the folder of the open thread, if it is in there. */
export function shownPath(path: string): string {
  const cwd = openView.value?.settings.value?.cwd;
  return cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}
