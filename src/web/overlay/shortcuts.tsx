import { Dialog } from "./dialog.js";

/** All shortcuts. */
export function Shortcuts() {
  return (
    <Dialog label="Shortcuts">
      <h2>Shortcuts</h2>
      <dl class="shortcuts">
        {shortcuts.map(([keys, words]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const shortcuts: readonly [keys: string, words: string][] = [
  ["Enter", "Send the message"],
  ["Shift Enter", "New line"],
  ["Ctrl/Cmd K", "Commands, threads and models"],
  ["a · s · d · x", "Approve · for the session · decline · decline and stop"],
  ["1 – 9", "Answer a question"],
  ["v", "View the changes"],
  ["p", "Show or hide the details"],
  ["n", "New thread"],
  ["/ or Esc", "Go to the message"],
  ["Shift Esc", "Stop the turn"],
  ["?", "This list"],
];
