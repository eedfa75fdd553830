import { vimKeys } from "../composer/vim/keys.js";
import { type KeyBinding, keysOf } from "../keys.js";
import { hang } from "../text/layout.js";
import type { View } from "../view.js";
import type { SlashCommand } from "./command.js";

/** `/keymap` */
export const keymap: SlashCommand = {
  name: "keymap",
  summary: "Show the actions that can have other keys",
  isAlwaysReady: true,
  async run({ ui, keymap: own }) {
    const { boundActions, editorActions } = await import("../keymap/actions.js");
    const { vimKeymap } = await import("../keymap/keymap.js");
    const vim = vimKeymap(own());
    const editor = own().editor ?? {};
    const sections: [string, [string, readonly string[]][]][] = [
      ...Object.entries(boundActions).map(
        ([context, actions]): [string, [string, readonly string[]][]] => [
          context,
          Object.entries(actions as Record<string, KeyBinding>).map(([action, binding]) => [
            action,
            keysOf(binding),
          ]),
        ],
      ),
      [
        "editor",
        Object.keys(editorActions).map((action) => [action, editor[action] ?? ["(default)"]]),
      ],
      ...(Object.keys(vimKeys) as (keyof typeof vimKeys)[]).map(
        (context): [string, [string, readonly string[]][]] => [
          context,
          Object.entries(vim[context]),
        ],
      ),
    ];
    await ui.pages("Keys", (view) => keymapLines(sections, view));
  },
};

function keymapLines(
  sections: readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[],
  view: View,
): string[] {
  const { theme, width } = view;
  const intro = "Bind other keys in config.toml, for example:";
  return [
    "",
    ...hang(intro, width, "  "),
    theme.dim("    [tui.keymap.global]"),
    theme.dim('    open_transcript = ["ctrl-t", "f2"]   # [] unbinds'),
    ...sections.flatMap(([context, actions]) => [
      "",
      ` ${theme.bold(`tui.keymap.${context}`)}`,
      ...actions.flatMap(([action, keys]) =>
        hang(keys.join(", ") || "(none)", width, `  ${theme.name(action.padEnd(28))} `),
      ),
    ]),
  ];
}
