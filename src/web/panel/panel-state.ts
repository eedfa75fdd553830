import { signal } from "@preact/signals";

/** Tabs of the panel. */
export const panelTabs = ["Changes", "Plan", "Agents", "Commands", "Status"] as const;
export type PanelTab = (typeof panelTabs)[number];

export const isPanelOpen = signal(false);
/** The panel remembers its tab. */
export const panelTab = signal<PanelTab>(readTab());

export function togglePanel(): void {
  isPanelOpen.value = !isPanelOpen.value;
}

export function chooseTab(tab: PanelTab): void {
  panelTab.value = tab;
  isPanelOpen.value = true;
  try {
    localStorage.setItem("quire.panel", tab);
  } catch {
    // It is forgotten with the page.
  }
}

function readTab(): PanelTab {
  const stored = localStorage.getItem("quire.panel");
  return panelTabs.find((tab) => tab === stored) ?? "Changes";
}
