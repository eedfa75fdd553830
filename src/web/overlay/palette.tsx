import { useSignal } from "@preact/signals";
import { Dialog } from "./dialog.js";
import { closeOverlay } from "./overlay-state.js";
import { paletteChoices } from "./palette-choices.js";

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
        {found.map(({ name, group, id }, index) => (
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
            <span class="muted">{group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="muted centered">Nothing found</p>}
    </Dialog>
  );
}
