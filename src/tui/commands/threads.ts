import { programName } from "../../lib/program-name.js";
import { printNotice, type SlashCommand } from "./command.js";
import { namedThread, pickThread } from "./pick-thread.js";

/** `/new` */
export const newThread: SlashCommand = {
  name: "new",
  aliases: ["clear"],
  summary: "Start a new session",
  run: ({ session }) => session.start(),
};

/** `/resume` */
export const resume: SlashCommand = {
  name: "resume",
  summary: "Resume an earlier session",
  operands: "[ID|NAME]",
  async run(context, operands) {
    const id =
      operands === ""
        ? await pickThread(context, { isEverywhere: false })
        : await namedThread(context, operands);
    if (id !== undefined) await context.session.resume(id);
  },
};

/** `/fork` */
export const fork: SlashCommand = {
  name: "fork",
  summary: "Fork this session",
  run: ({ session }) => session.fork(session.threadId),
};

/** `/rename` */
export const rename: SlashCommand = {
  name: "rename",
  summary: "Rename this session",
  operands: "[NAME]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { ui, session } = context;
    const { status } = context.session.conversation;
    const initial = status.threadName === undefined ? {} : { initial: status.threadName };
    const name = operands || (await ui.question({ title: "Session name", ...initial }))?.trim();
    if (!name) return;
    await session.ask("thread/name/set", { name });
    status.threadName = name;
    printNotice(context, `Renamed to ${name}`);
  },
};

/** `/delete` */
export const deleteThread: SlashCommand = {
  name: "delete",
  summary: "Delete this session permanently and start a new one",
  async run(context) {
    const { session, ui } = context;
    const isSure = await ui.pick({
      title: "Delete this session permanently?",
      text: "Its messages and their attachments are removed from the disk. Files of your project stay.",
      isWarning: true,
      choices: [
        { value: false, label: "No, keep it" },
        { value: true, label: "Yes, delete it" },
      ],
    });
    if (isSure !== true) return;
    await session.ask("thread/delete", {});
    await session.start();
    printNotice(context, "Session deleted");
  },
};

/** `/archive` */
export const archive: SlashCommand = {
  name: "archive",
  summary: "Archive this session and start a new one",
  async run(context) {
    const { session } = context;
    const old = session.threadId;
    await session.ask("thread/archive", {});
    printNotice(
      context,
      "Session archived",
      `Restore it with \`${programName()} unarchive ${old}\``,
    );
    await session.start();
  },
};
