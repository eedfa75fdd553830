import { codexHome } from "../../config/index.js";
import { archiveThread, unarchiveThread } from "../../rollout/index.js";
import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { findSession, type SessionPlace, sessionOperand } from "./sessions/find-session.js";

/** Archives a session. */
export const archive = defineMove({
  name: "archive",
  summary: "Archive a session",
  from: "active",
  move: archiveThread,
  done: "Archived",
});

/** Restores an archived session. */
export const unarchive = defineMove({
  name: "unarchive",
  summary: "Restore an archived session",
  from: "archived",
  move: unarchiveThread,
  done: "Unarchived",
});

interface Move {
  name: string;
  summary: string;
  /** State of the session before the move. */
  from: SessionPlace;
  move: typeof archiveThread | typeof unarchiveThread;
  /** Verb for the confirmation message. */
  done: string;
}

function defineMove({ name, summary, from, move, done }: Move) {
  return defineCommand({
    name,
    summary,
    ...sessionOperand,
    options: {},
    async run({ positionals: [text] }, io) {
      const home = codexHome(io.env);
      const session = await findSession(home, text, from);
      await move(home, session);
      io.stdout.write(`${done} session ${session.id}.\n`);
      return exitCodes.ok;
    },
  });
}
