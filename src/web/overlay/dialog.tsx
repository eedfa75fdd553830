import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { closeOverlay } from "./overlay-state.js";

/** A dialog that takes the focus; Escape and a click beside it close it. */
export function Dialog({
  label,
  isWide = false,
  children,
}: {
  label: string;
  isWide?: boolean;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  // Before the next key, which is typed into the dialog.
  useLayoutEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={box}
      aria-label={label}
      class={isWide ? "wide" : undefined}
      onClose={closeOverlay}
      onClick={(event) => {
        if (event.target === box.current) box.current?.close();
      }}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
