import { defaultTitleItems } from "../host/terminal-title.js";
import { readItems, statusItemNames } from "../lines/read-items.js";
import { defaultStatusItems, type StatusItemName, statusItems } from "../lines/status-items.js";
import { saveSettings } from "../session/save-settings.js";
import { type CommandContext, type ItemList, printError, type SlashCommand } from "./command.js";

/** `/statusline` */
export const statusline: SlashCommand = {
  name: "statusline",
  summary: "Choose the items of the status line",
  operands: "[ITEM…|default|none]",
  isAlwaysReady: true,
  run: (context, operands) =>
    chooseItems(context, operands, {
      list: context.items.statusLine,
      key: "tui.status_line",
      name: "the status line",
      defaults: defaultStatusItems,
    }),
};

/** `/title` */
export const title: SlashCommand = {
  name: "title",
  summary: "Choose the items of the terminal title",
  operands: "[ITEM…|default|none]",
  isAlwaysReady: true,
  run: (context, operands) =>
    chooseItems(context, operands, {
      list: context.items.title,
      key: "tui.terminal_title",
      name: "the terminal title",
      defaults: defaultTitleItems,
    }),
};

/** A list of items with its place in the config. */
interface NamedList {
  list: ItemList;
  key: string;
  name: string;
  defaults: readonly StatusItemName[];
}

async function chooseItems(context: CommandContext, operands: string, named: NamedList) {
  if (operands === "") return toggleItems(context, named);
  const words = operands.split(/[\s,]+/).filter(Boolean);
  const { items, problems } =
    operands === "default"
      ? { items: [...named.defaults], problems: [] }
      : readItems(operands === "none" ? [] : words, named.name);
  for (const { text, hint } of problems) printError(context, `${text}. ${hint}`);
  if (problems.length === 0) await useItems(context, named, items);
}

/** Lets the user switch items on and off until the list is closed; each change shows at once. */
async function toggleItems(context: CommandContext, named: NamedList): Promise<void> {
  const { ui } = context;
  let selected = 0;
  for (;;) {
    const shown = named.list.get();
    const names = [...shown, ...statusItemNames.filter((name) => !shown.includes(name))];
    const choice = await ui.pick<StatusItemName>({
      title: `Items of ${named.name}`,
      text: "Enter adds an item at the end or removes it. Esc closes the list.",
      choices: names.map((name) => ({
        value: name,
        label: `${shown.includes(name) ? "[x]" : "[ ]"} ${name}`,
        description: statusItems[name].help,
      })),
      selected,
    });
    if (choice === undefined) return;
    const isShown = shown.includes(choice);
    const items = isShown ? shown.filter((name) => name !== choice) : [...shown, choice];
    selected = isShown ? names.indexOf(choice) : items.indexOf(choice);
    await useItems(context, named, items);
  }
}

async function useItems(
  context: CommandContext,
  { list, key, name }: NamedList,
  items: readonly StatusItemName[],
): Promise<void> {
  list.set(items);
  context.ui.screen.requestRender();
  await saveSettings(context.server, { [key]: items }).catch((error: unknown) => {
    printError(context, `The items of ${name} could not be saved to config.toml`, error);
  });
}
