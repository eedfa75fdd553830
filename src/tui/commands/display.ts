import { noticeLines } from "../cells/small.js";
import { loadLex } from "../markdown/libraries.js";
import type { NoticeCell } from "../state/cell.js";
import { printNotice, type SlashCommand } from "./command.js";

/** `/raw` */
export const raw: SlashCommand = {
  name: "raw",
  summary: "Show answers as written, without formatting, or formatted again",
  isAlwaysReady: true,
  async run(context) {
    const { ui } = context;
    const isRaw = ui.lex === undefined;
    ui.lex = isRaw ? await loadLex() : undefined;
    const text = isRaw ? "Answers are formatted" : "Answers are shown as written";
    printNotice(context, text, "It holds for what follows and for Ctrl+T");
  },
};

/** `/warnings` */
export const warnings: SlashCommand = {
  name: "warnings",
  summary: "Show the warnings and errors of this session",
  isAlwaysReady: true,
  async run(context) {
    const { session, ui } = context;
    const notices = session.conversation.transcript.finished.filter(
      (cell): cell is NoticeCell => cell.kind === "notice" && cell.level !== "info",
    );
    if (notices.length === 0) return printNotice(context, "There are no warnings");
    await ui.pages("Warnings and errors", (view) =>
      notices.flatMap((notice) => ["", ...noticeLines(notice, view)]),
    );
  },
};
