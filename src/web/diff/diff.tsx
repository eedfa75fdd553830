import { lazy } from "../lib/lazy.js";

/** Changes of files; loaded with the first diff. */
export const Diff = lazy(async () => (await import("./diff-view.js")).DiffView);
