import { codexHome } from "../../config/index.js";
import { deleteThread, isUuid } from "../../rollout/index.js";
import { defineCommand } from "../command.js";
import { confirm } from "../confirm.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { findSession, sessionOperand } from "./sessions/find-session.js";

/** Deletes a session permanently. */
export const deleteSession = defineCommand({
  name: "delete",
  summary: "Delete a session permanently",
  ...sessionOperand,
  options: {
    force: { type: "boolean", help: "Do not ask for confirmation; requires a full session id" },
    yes: { type: "boolean", short: "y", aliasOf: "force", help: "The same" },
  },
  async run({ values, positionals: [text] }, io) {
    if (values.force && text !== undefined && !isUuid(text)) {
      throw new UsageError(
        "--force requires a session UUID; names must be confirmed in a terminal",
      );
    }
    const home = codexHome(io.env);
    const { id, path, archived } = await findSession(home, text, "any");
    const question = `Permanently delete session ${id}?`;
    const isSure = values.force || (await confirm(question, io));
    if (isSure === undefined) {
      throw new UsageError(
        `No terminal to ask for confirmation: pass --force (\`quire delete --force ${id}\`)`,
      );
    }
    if (!isSure) {
      io.stderr.write("Nothing was deleted.\n");
      return exitCodes.failed;
    }
    await deleteThread(home, { id, path }, { archived });
    io.stdout.write(`Deleted session ${id}.\n`);
    return exitCodes.ok;
  },
});
