import { noticeLines } from "../cells/small.js";
import { loadLex } from "../markdown/libraries.js";
import type { NoticeCell } from "../state/cell.js";
import { printError, printNotice, type SlashCommand } from "./command.js";

/** `/raw` */
export const raw: SlashCommand = {
  name: "raw",
  summary: "Show answers as written, without formatting, or formatted again",
  operands: "[on|off]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { ui } = context;
    if (!["", "on", "off"].includes(operands)) {
      printError(context, `Expected on or off (got ${JSON.stringify(operands)})`);
      return;
    }
    const isRaw = operands === "" ? ui.lex !== undefined : operands === "on";
    ui.lex = isRaw ? undefined : await loadLex();
    const text = isRaw ? "Answers are shown as written" : "Answers are formatted";
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
