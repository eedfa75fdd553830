import { openPalette, openRewind, openShortcuts, openTree } from "../overlay/overlay-state.js";
import { chooseTab } from "../panel/panel-state.js";
import { archive, compact, forkThread, reporting, review, setGoal } from "../state/actions.js";
import { goTo, openView } from "../state/app.js";
import { switchPlanMode } from "../state/settings.js";
import type { ThreadView } from "../state/thread-view.js";

/** A command that is typed as `/NAME` in the message, as in the terminal. */
export interface SlashCommand {
  name: string;
  summary: string;
  /** Runs it; `text` is what follows the name. */
  run(text: string): void;
}

/** Returns the commands that are possible now. */
export function slashCommands(): SlashCommand[] {
  const view = openView.value;
  return [
    { name: "new", summary: "Start a new thread", run: () => goTo(undefined) },
    {
      name: "plan",
      summary: "Switch plan mode",
      run: () => void reporting(() => switchPlanMode(view)),
    },
    ...(view === undefined ? [] : threadCommands(view)),
    { name: "commands", summary: "Show all commands", run: openPalette },
    { name: "help", summary: "Show all shortcuts", run: openShortcuts },
  ];
}

/** Returns the command that a whole message is, with what follows its name. */
export function readSlashCommand(
  message: string,
): { command: SlashCommand; text: string } | undefined {
  const [, name, text = ""] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(message.trim()) ?? [];
  const command = slashCommands().find((one) => one.name === name);
  return command === undefined ? undefined : { command, text };
}

function threadCommands(view: ThreadView): SlashCommand[] {
  const lastTurn = view.entries.value.findLast(({ turnId }) => turnId !== "")?.turnId;
  return [
    {
      name: "review",
      summary: "Review uncommitted changes, or what follows",
      run: (text) =>
        void review(
          view,
          text === "" ? { type: "uncommittedChanges" } : { type: "custom", instructions: text },
        ),
    },
    { name: "compact", summary: "Compact the conversation", run: () => void compact(view) },
    {
      name: "goal",
      summary: "Set the goal that follows, or clear it",
      run: (text) => void setGoal(view, text),
    },
    { name: "fork", summary: "Fork this thread", run: () => void forkThread(view) },
    ...(lastTurn === undefined
      ? []
      : [
          {
            name: "rewind",
            summary: "Rewind to before the last message",
            run: () => openRewind({ kind: "rewind" as const, turnId: lastTurn }),
          },
        ]),
    { name: "tree", summary: "Show the tree of turns", run: openTree },
    { name: "diff", summary: "Show the changes", run: () => chooseTab("Changes") },
    { name: "agents", summary: "Show the helper agents", run: () => chooseTab("Agents") },
    {
      name: "status",
      summary: "Show usage, MCP servers and hooks",
      run: () => chooseTab("Status"),
    },
    { name: "archive", summary: "Archive this thread", run: () => void archive(view.id) },
  ];
}
