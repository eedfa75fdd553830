import { defineCommand } from "../command.js";

/** Manages the recorded sessions of this machine. */
export const sessions = defineCommand({
  name: "sessions",
  summary: "List, measure, prune and export sessions",
  verbs: [
    {
      name: "list",
      summary: "List sessions, newest first",
      load: async () => (await import("./sessions/list.js")).sessionsList,
    },
    {
      name: "du",
      summary: "Show the disk usage of sessions",
      load: async () => (await import("./sessions/du.js")).sessionsDu,
    },
    {
      name: "prune",
      summary: "Delete old sessions permanently",
      load: async () => (await import("./sessions/prune.js")).sessionsPrune,
    },
    {
      name: "export",
      summary: "Export a session as Markdown, HTML or JSON",
      load: async () => (await import("./sessions/export.js")).sessionsExport,
    },
  ],
  options: {},
  details: "See also `quire resume`, `quire archive` and `quire delete`.",
  async run(_input, io) {
    const { sessionsList } = await import("./sessions/list.js");
    return sessionsList.run({ values: { limit: "25" } as never, positionals: [] }, io);
  },
});
