import { codexHome } from "../../config/index.js";
import { archiveThread, unarchiveThread } from "../../rollout/index.js";
import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { findSession } from "./sessions/find-session.js";

const operands = "SESSION";
const details = "A session is named by its id, the beginning of its id, or its name.";

/** Puts a conversation away. */
export const archive = defineCommand({
  name: "archive",
  summary: "Put a session away; `unarchive` brings it back",
  operands,
  mostOperands: 1,
  options: {},
  details,
  async run({ positionals: [text] }, io) {
    const home = codexHome(io.env);
    const session = await findSession(home, text, "active");
    await archiveThread(home, session);
    io.stdout.write(`Archived session ${session.id}.\n`);
    return exitCodes.ok;
  },
});

/** Brings a conversation back. */
export const unarchive = defineCommand({
  name: "unarchive",
  summary: "Bring back a session that was put away",
  operands,
  mostOperands: 1,
  options: {},
  details,
  async run({ positionals: [text] }, io) {
    const home = codexHome(io.env);
    const session = await findSession(home, text, "archived");
    await unarchiveThread(home, session);
    io.stdout.write(`Unarchived session ${session.id}.\n`);
    return exitCodes.ok;
  },
});
