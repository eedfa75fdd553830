import { computed, signal } from "@preact/signals";
import type { Entry, InspectionState, PageMessage } from "../../inspect/index.js";

/** Facts about the inspection; undefined until the inspector has sent them. */
export const state = signal<InspectionState | undefined>(undefined);

/** Messages that the page retains, oldest first. */
export const entries = signal<readonly Entry[]>([]);

/** Number of messages that the page does not have: they came before it, or faster than it could read. */
export const missing = signal(0);

/** Filters of the list. */
export const direction = signal<"all" | Entry["from"]>("all");
export const search = signal("");
export const onlyInvalid = signal(false);

/** Number of the selected message. */
export const selected = signal<number | undefined>(undefined);

/** Messages that pass the filters. */
export const shown = computed(() => {
  const words = search.value.trim().toLowerCase();
  return entries.value.filter(
    (entry) =>
      (direction.value === "all" || entry.from === direction.value) &&
      (!onlyInvalid.value || entry.problems.length > 0) &&
      (words === "" || (entry.method ?? entry.kind).toLowerCase().includes(words)),
  );
});

/** The selected message, even if the filters hide it. */
export const selectedEntry = computed(() => entries.value.find(({ n }) => n === selected.value));

/** Applies a message of the inspector. */
export function apply(message: PageMessage): void {
  if (message.type === "state") {
    state.value = message.state;
    return;
  }
  missing.value += message.skipped;
  const all = [...entries.value, ...message.entries];
  entries.value = all.slice(-maxEntries);
}

/** Forgets the messages, before a new connection sends them again. */
export function reset(): void {
  entries.value = [];
  missing.value = 0;
}

/** Selects the message that is so many rows further in the list. */
export function move(rows: number): void {
  const list = shown.value;
  if (list.length === 0) return;
  const at = list.findIndex(({ n }) => n === selected.value);
  const next = at < 0 ? list.length - 1 : Math.min(list.length - 1, Math.max(0, at + rows));
  selected.value = list[next]?.n;
}

const maxEntries = 5000;
