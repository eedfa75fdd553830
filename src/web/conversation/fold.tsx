import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** A title that shows and hides what is below it. */
export function Fold({
  title,
  isOpen = false,
  children,
}: {
  title: ComponentChildren;
  isOpen?: boolean;
  children: () => ComponentChildren;
}) {
  const open = useSignal(isOpen);
  return (
    <div class="fold">
      <button
        type="button"
        class="fold-head"
        aria-expanded={open.value}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <span class="chevron" aria-hidden="true" />
        <span class="fold-title">{title}</span>
      </button>
      {open.value && <div class="fold-body">{children()}</div>}
    </div>
  );
}
