import { codexHome } from "../../config/index.js";
import { archiveThread, unarchiveThread } from "../../rollout/index.js";
import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { findSession, type SessionPlace, sessionOperand } from "./sessions/find-session.js";

/** Puts a conversation away. */
export const archive = defineMove({
  name: "archive",
  summary: "Put a session away; `unarchive` brings it back",
  from: "active",
  move: archiveThread,
  done: "Archived",
});

/** Brings a conversation back. */
export const unarchive = defineMove({
  name: "unarchive",
  summary: "Bring back a session that was put away",
  from: "archived",
  move: unarchiveThread,
  done: "Unarchived",
});

interface Move {
  name: string;
  summary: string;
  /** Where the session is before. */
  from: SessionPlace;
  move: typeof archiveThread | typeof unarchiveThread;
  /** What the user is told. */
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
