import { commandKey } from "../lib/keys.js";
import { chooseTab, panelTabs } from "../panel/panel-state.js";
import {
  archive,
  compact,
  forkThread,
  reporting,
  review,
  setGoal,
  stop,
} from "../state/actions.js";
import { goTo, models, openView, threads } from "../state/app.js";
import { enableNotifications } from "../state/attention.js";
import {
  changeSettings,
  type Effort,
  permissionChoices,
  switchPlanMode,
} from "../state/settings.js";
import type { ThreadView } from "../state/thread-view.js";
import { titleOf } from "../threads/group-threads.js";
import { openRewind, openShortcuts, openTree } from "./overlay-state.js";

/** A choice of the palette. */
export interface Choice {
  id: string;
  name: string;
  group: "Commands" | "Threads" | "Models" | "Effort" | "Permissions";
  /** Shortcut, or what else is known. */
  hint?: string;
  run(): void;
}

/** Returns all choices; `text` is what the user has typed, for commands that take it. */
export function paletteChoices(text: string): Choice[] {
  const view = openView.value;
  const chosenModel = view?.settings.value?.model;
  const model = models.value.find((one) => one.model === chosenModel);
  const change = (changes: Parameters<typeof changeSettings>[1]) =>
    void reporting(() => changeSettings(view, changes));
  return [
    ...(view === undefined ? [] : commandsWithText(view, text)),
    command("New thread", () => goTo(undefined), "n"),
    ...(view === undefined ? [] : threadCommands(view)),
    command("Switch plan mode", () => void reporting(() => switchPlanMode(view))),
    command("Shortcuts", openShortcuts, "?"),
    command("Enable notifications", () => void reporting(enableNotifications)),
    ...threads.value.slice(0, 100).map((thread) => ({
      id: thread.id,
      name: titleOf(thread),
      group: "Threads" as const,
      run: () => goTo(thread.id),
    })),
    ...models.value.map((one) => ({
      id: `model-${one.id}`,
      name: one.displayName,
      group: "Models" as const,
      hint: one.model === chosenModel ? "in use" : "",
      run: () => change({ model: one.model }),
    })),
    ...(model?.supportedReasoningEfforts ?? []).map(({ reasoningEffort: effort }) => ({
      id: `effort-${effort}`,
      name: `Effort ${effort}`,
      group: "Effort" as const,
      hint: effort === view?.settings.value?.reasoningEffort ? "in use" : "",
      run: () => change({ effort: effort as Effort }),
    })),
    ...permissionChoices.map(({ id, name }) => ({
      id: `permissions-${id}`,
      name,
      group: "Permissions" as const,
      run: () => change({ permissions: id }),
    })),
  ];
}

/** Commands that take what follows their name. */
function commandsWithText(view: ThreadView, text: string): Choice[] {
  const [, verb = "", rest = ""] = /^(goal|review)\s+(\S.*)$/i.exec(text) ?? [];
  switch (verb.toLowerCase()) {
    case "goal":
      return [command(`Goal ${rest}`, () => void setGoal(view, rest))];
    case "review":
      return [
        command(
          `Review against the branch ${rest}`,
          () => void review(view, { type: "baseBranch", branch: rest }),
        ),
        command(
          `Review the commit ${rest}`,
          () => void review(view, { type: "commit", sha: rest, title: null }),
        ),
        command(`Review: ${rest}`, () => void review(view, { type: "custom", instructions: rest })),
      ];
    default:
      return [];
  }
}

function threadCommands(view: ThreadView): Choice[] {
  const lastTurn = view.entries.value.findLast(({ turnId }) => turnId !== "")?.turnId;
  return [
    ...(view.runningTurn.value === undefined
      ? []
      : [command("Stop", () => void stop(view), "Shift Esc")]),
    command("Review uncommitted changes", () => void review(view, { type: "uncommittedChanges" })),
    command("Compact the conversation", () => void compact(view)),
    ...(lastTurn === undefined
      ? []
      : [
          command("Rewind to before the last message", () =>
            openRewind({ kind: "rewind", turnId: lastTurn }),
          ),
        ]),
    command("Undo the last rewind", () => openRewind({ kind: "undo" })),
    command("Show the tree of turns", openTree, "t"),
    command("Fork this thread", () => void forkThread(view)),
    command("Archive this thread", () => void archive(view.id)),
    ...(view.goal.value === undefined
      ? []
      : [command("Clear the goal", () => void setGoal(view, ""))]),
    ...panelTabs.map((tab) =>
      command(`Show ${tab.toLowerCase()}`, () => chooseTab(tab), tab === "Changes" ? "v" : ""),
    ),
  ];
}

function command(name: string, run: () => void, hint = ""): Choice {
  return { id: `command-${name}`, name, group: "Commands", hint, run };
}

/** Lists what else can be typed. */
export const paletteHelp = `goal TEXT · review BRANCH, COMMIT or what to look for · ${commandKey}K`;
