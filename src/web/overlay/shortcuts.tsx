import { Icon } from "../lib/icon.js";
import { commandKey } from "../lib/keys.js";
import { Dialog } from "./dialog.js";
import { closeOverlay } from "./overlay-state.js";

/** All shortcuts, by where they work. */
export function Shortcuts() {
  return (
    <Dialog label="Shortcuts" isWide>
      <div class="row dialog-head">
        <h2 class="grow">Shortcuts</h2>
        <button type="button" class="ghost icon" aria-label="Close" onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </div>
      <div class="shortcut-groups">
        {groups.map(([name, shortcuts]) => (
          <section key={name} class="shortcuts" aria-label={name}>
            <h3>{name}</h3>
            <dl>
              {shortcuts.map(([keys, words]) => (
                <div key={words}>
                  <dt>{words}</dt>
                  <dd>
                    {keys.split(" ").map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const command = commandKey.trim();
const groups: readonly [name: string, shortcuts: readonly [keys: string, words: string][]][] = [
  [
    "Message",
    [
      ["Enter", "Send"],
      ["Shift Enter", "New line"],
      [`${command} Enter`, "Queue it while a turn runs"],
      ["@", "Mention a file"],
      ["Esc", "Go to the conversation"],
      ["Shift Esc", "Stop the turn"],
    ],
  ],
  [
    "Approvals and questions",
    [
      ["a", "Approve"],
      ["s", "Approve for session"],
      ["r", "Always allow, with a rule"],
      ["d", "Decline"],
      ["x", "Decline and stop"],
      ["1 … 9", "Answer a question"],
    ],
  ],
  [
    "Everywhere",
    [
      [`${command} k`, "Commands, threads, models"],
      ["/", "Write a message"],
      ["n", "New thread"],
      ["v", "View the changes"],
      ["t", "Tree of turns, rewind, branches"],
      ["p", "Show or hide the details"],
      ["?", "This list"],
    ],
  ],
];
