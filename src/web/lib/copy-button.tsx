import { useSignal } from "@preact/signals";
import { Icon } from "./icon.js";

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const isDone = useSignal(false);
  const copy = async () => {
    // Absent on pages without TLS that are not on loopback.
    await navigator.clipboard?.writeText(text);
    isDone.value = true;
    setTimeout(() => {
      isDone.value = false;
    }, 1500);
  };
  return (
    <button type="button" class="ghost small" onClick={copy}>
      <Icon name="copy" />
      {isDone.value ? "Copied" : label}
    </button>
  );
}
