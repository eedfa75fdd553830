import { defineCommand } from "../command.js";

/** The conversations on this machine. */
export const sessions = defineCommand({
  name: "sessions",
  summary: "List, measure, prune and export the sessions on this machine",
  verbs: [
    {
      name: "list",
      summary: "List the sessions, newest first",
      load: async () => (await import("./sessions/list.js")).sessionsList,
    },
    {
      name: "du",
      summary: "Say how much room they take",
      load: async () => (await import("./sessions/du.js")).sessionsDu,
    },
    {
      name: "prune",
      summary: "Remove old sessions for good",
      load: async () => (await import("./sessions/prune.js")).sessionsPrune,
    },
    {
      name: "export",
      summary: "Write a session as Markdown or JSON",
      load: async () => (await import("./sessions/export.js")).sessionsExport,
    },
  ],
  options: {},
  details: "`quire resume` goes on with a session, `quire archive` puts one away.",
  async run(_input, io) {
    const { sessionsList } = await import("./sessions/list.js");
    return sessionsList.run({ values: { limit: "25" } as never, positionals: [] }, io);
  },
});
