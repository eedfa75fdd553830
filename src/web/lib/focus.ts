import { useEffect } from "preact/hooks";

/** Moves the focus to the input area if it was in a part that has gone, such as an approval; the keys work there too. */
export function useFocusAfter(box: { current: HTMLElement | null }): void {
  useEffect(() => {
    const element = box.current;
    let hadFocus = false;
    const note = () => {
      hadFocus = element?.contains(document.activeElement) ?? false;
    };
    document.addEventListener("focusin", note);
    return () => {
      document.removeEventListener("focusin", note);
      if (!hadFocus || document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>(".dock")?.focus({ preventScroll: true });
    };
  }, [box]);
}
