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
import { changeSettings, permissionChoices } from "../state/settings.js";
import type { ThreadView } from "../state/thread-view.js";
import { titleOf } from "../threads/group-threads.js";
import { openShortcuts } from "./overlay-state.js";

/** A choice of the palette. */
export interface Choice {
  id: string;
  name: string;
  group: "Command" | "Thread" | "Model" | "Permissions";
  run(): void;
}

/** Returns all choices; `text` is what the user has typed, for commands that take it. */
export function paletteChoices(text: string): Choice[] {
  const view = openView.value;
  return [
    command("New thread", () => goTo(undefined)),
    ...(view === undefined ? [] : threadCommands(view, text)),
    command("Shortcuts", openShortcuts),
    command("Enable notifications", () => void enableNotifications()),
    ...threads.value.slice(0, 100).map((thread) => ({
      id: thread.id,
      name: titleOf(thread),
      group: "Thread" as const,
      run: () => goTo(thread.id),
    })),
    ...models.value.map(({ id, model, displayName }) => ({
      id: `model-${id}`,
      name: displayName,
      group: "Model" as const,
      run: () => void reporting(() => changeSettings(view, { model })),
    })),
    ...permissionChoices.map(({ id, name }) => ({
      id: `permissions-${id}`,
      name,
      group: "Permissions" as const,
      run: () => void reporting(() => changeSettings(view, { permissions: id })),
    })),
  ];
}

function threadCommands(view: ThreadView, text: string): Choice[] {
  const goal = /^goal\s+(.+)$/i.exec(text)?.[1];
  return [
    ...(view.runningTurn.value === undefined ? [] : [command("Stop", () => void stop(view))]),
    command("Review uncommitted changes", () => void review(view)),
    command("Compact the conversation", () => void compact(view)),
    command("Fork this thread", () => void forkThread(view)),
    command("Archive this thread", () => void archive(view.id)),
    ...(goal === undefined ? [] : [command(`Goal ${goal}`, () => void setGoal(view, goal))]),
    ...(view.goal.value === undefined
      ? []
      : [command("Clear the goal", () => void setGoal(view, ""))]),
    ...panelTabs.map((tab) => command(`Show ${tab.toLowerCase()}`, () => chooseTab(tab))),
  ];
}

function command(name: string, run: () => void): Choice {
  return { id: `command-${name}`, name, group: "Command", run };
}
