import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { openView, request, serverCwd } from "../state/app.js";
import { slashCommands } from "./slash-commands.js";

/** A way to complete the message. */
export interface Completion {
  label: string;
  details: string;
  /** Message with it, or a command that runs instead. */
  choose: { text: string } | { run(text: string): void };
}

/** The list of completions of a message, and the keys for it. */
export interface CompletionList {
  choices: readonly Completion[];
  chosen: number;
  /** Handles a key; returns false if it is not for the list. */
  onKey(key: string): boolean;
  accept(index: number): void;
}

/** Offers commands after `/` and files after `@`, at the end of the message. */
export function useCompletion(
  text: Signal<string>,
  change: (text: string) => void,
): CompletionList {
  const choices = useSignal<readonly Completion[]>([]);
  const at = useSignal(0);
  const dismissed = useSignal("");
  const message = text.value;
  useEffect(() => {
    const stop = new AbortController();
    at.value = 0;
    const timer = setTimeout(async () => {
      const found = message === dismissed.value ? [] : await find(message, stop.signal);
      if (!stop.signal.aborted) choices.value = found;
    }, restMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
      choices.value = []; // those of another text must not be accepted
    };
  }, [message, choices, at, dismissed]);
  const accept = (index: number) => {
    const choice = choices.value[index]?.choose;
    if (choice === undefined) return;
    choices.value = [];
    if ("text" in choice) change(choice.text);
    else {
      change("");
      choice.run("");
    }
  };
  const count = choices.value.length;
  const chosen = Math.min(at.value, Math.max(0, count - 1));
  const onKey = (key: string) => {
    if (count === 0) return false;
    if (key === "ArrowDown") at.value = (chosen + 1) % count;
    else if (key === "ArrowUp") at.value = (chosen + count - 1) % count;
    else if (key === "Enter" || key === "Tab") accept(chosen);
    else if (key === "Escape") {
      dismissed.value = message;
      choices.value = [];
    } else return false;
    return true;
  };
  return { choices: choices.value, chosen, onKey, accept };
}

/** Shows the completions above the message. */
export function Completions({ list }: { list: CompletionList }) {
  if (list.choices.length === 0) return null;
  return (
    <div id="completions" role="listbox" aria-label="Completions" class="completions">
      {list.choices.map(({ label, details }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the message
        // biome-ignore lint/a11y/useFocusableInteractive: the message has the focus
        <div
          key={label}
          id={`completion-${index}`}
          role="option"
          aria-selected={index === list.chosen}
          class="choice"
          onClick={() => list.accept(index)}
        >
          <span class="mono">{label}</span>
          <span class="muted">{details}</span>
        </div>
      ))}
    </div>
  );
}

async function find(message: string, signal: AbortSignal): Promise<Completion[]> {
  const [, command] = /^\/([a-z]*)$/.exec(message) ?? [];
  if (command !== undefined) {
    return slashCommands()
      .filter(({ name }) => name.startsWith(command))
      .slice(0, mostChoices)
      .map(({ name, summary, run }) => ({
        label: `/${name}`,
        details: summary,
        choose: name === "goal" ? { text: `/${name} ` } : { run },
      }));
  }
  const [, before = "", query] = /^(.*(?:^|\s))@(\S*)$/s.exec(message) ?? [];
  const root = openView.peek()?.settings.peek()?.cwd ?? serverCwd.peek();
  if (query === undefined || query === "" || root === "") return [];
  const params = { query, roots: [root], cancellationToken };
  const found = await request("fuzzyFileSearch", params, signal).catch(() => undefined);
  return (found?.files ?? []).slice(0, mostChoices).map(({ path }) => ({
    label: path,
    details: "",
    choose: { text: `${before}${/\s/.test(path) ? `"${path}"` : path} ` },
  }));
}

/** A later search of this page replaces the one before. */
const cancellationToken = `web-${Math.random()}`;
const restMs = 60;
const mostChoices = 8;
