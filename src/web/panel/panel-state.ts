import { signal } from "@preact/signals";

/** Tabs of the panel. */
export const panelTabs = ["Changes", "Plan", "Agents", "Commands", "Status"] as const;
export type PanelTab = (typeof panelTabs)[number];

/** A sheet over the conversation is not opened by itself. */
export const isPanelOpen = signal(
  readStored("quire.panelOpen") === "yes" && matchMedia("(min-width: 1000px)").matches,
);
/** The panel remembers its tab. */
export const panelTab = signal<PanelTab>(readTab());

export function togglePanel(): void {
  isPanelOpen.value = !isPanelOpen.value;
  store("quire.panelOpen", isPanelOpen.value ? "yes" : "no");
}

export function chooseTab(tab: PanelTab): void {
  panelTab.value = tab;
  if (!isPanelOpen.value) togglePanel();
  store("quire.panel", tab);
}

function readTab(): PanelTab {
  const stored = readStored("quire.panel");
  return panelTabs.find((tab) => tab === stored) ?? "Changes";
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is forgotten with the page.
  }
}
