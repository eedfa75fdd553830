import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "./dialog.js";
import { closeOverlay } from "./overlay-state.js";
import { type Choice, paletteChoices, paletteHelp } from "./palette-choices.js";

/** Searches commands, threads and models; Enter runs the chosen one. */
export function Palette() {
  const text = useSignal("");
  const at = useSignal(0);
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = paletteChoices(text.value)
    .filter(({ name, group }) =>
      words.every((word) => `${group} ${name}`.toLowerCase().includes(word)),
    )
    .slice(0, 40);
  const chosen = Math.min(at.value, Math.max(0, found.length - 1));
  useEffect(() => {
    document.querySelector(`#choice-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const run = (index: number) => {
    const choice = found[index];
    if (choice === undefined) return;
    closeOverlay();
    choice.run();
  };
  return (
    <Dialog label="Commands">
      <input
        class="palette-input"
        role="combobox"
        aria-label="Search commands"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `choice-${chosen}` : undefined}
        placeholder="Search commands, threads and models"
        autofocus
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") at.value = (chosen + 1) % Math.max(1, found.length);
          else if (event.key === "ArrowUp") {
            at.value = (chosen + found.length - 1) % Math.max(1, found.length);
          } else if (event.key === "Enter") run(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <div id="palette-list" role="listbox" aria-label="Commands" class="palette-list">
        {byGroup(found).map(([group, choices]) => (
          // biome-ignore lint/a11y/useSemanticElements: options have no fieldset
          <div key={group} role="group" aria-label={group}>
            <div class="choice-group" aria-hidden="true">
              {group}
            </div>
            {choices.map(({ choice: { id, name, hint }, index }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the input
              // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus
              <div
                key={id}
                id={`choice-${index}`}
                role="option"
                aria-selected={index === chosen}
                class="choice"
                onClick={() => run(index)}
              >
                <span>{name}</span>
                {hint && <span class="muted">{hint}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="muted centered">Nothing found</p>}
      <p class="palette-help facts">{paletteHelp}</p>
    </Dialog>
  );
}

/** Groups choices that follow each other; each keeps its position. */
function byGroup(choices: readonly Choice[]) {
  const groups = new Map<string, { choice: Choice; index: number }[]>();
  for (const [index, choice] of choices.entries()) {
    const group = groups.get(choice.group) ?? [];
    groups.set(choice.group, group);
    group.push({ choice, index });
  }
  return [...groups];
}
