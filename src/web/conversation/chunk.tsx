import { type Signal, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ThreadView } from "../state/thread-view.js";
import type { Row } from "./rows.js";
import { RowView } from "./turn-parts.js";

/** Shows the chunks that are near the visible part, and hides the others. */
export class ChunkObserver {
  #observer: IntersectionObserver | undefined;
  #isVisible = new Map<Element, Signal<boolean>>();

  start(root: Element): void {
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const isVisible = this.#isVisible.get(target);
          if (isVisible !== undefined) isVisible.value = isIntersecting;
        }
      },
      { root, rootMargin: "2000px 0px" },
    );
    for (const element of this.#isVisible.keys()) this.#observer.observe(element);
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  /** Observes a chunk; returns a function that stops it. */
  observe(element: Element, isVisible: Signal<boolean>): () => void {
    this.#isVisible.set(element, isVisible);
    this.#observer?.observe(element);
    return () => {
      this.#isVisible.delete(element);
      this.#observer?.unobserve(element);
    };
  }
}

/** Rows that are shown together, or an empty box of their height while they are out of sight. */
export function Chunk({
  rows,
  view,
  isNearEnd,
  observer,
}: {
  rows: readonly Row[];
  view: ThreadView;
  isNearEnd: boolean;
  observer: ChunkObserver;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isVisible = useRef<Signal<boolean> | undefined>(undefined);
  isVisible.current ??= signal(isNearEnd);
  const height = useRef(0);
  const isShown = isVisible.current.value;
  useEffect(() => {
    if (box.current === null || isVisible.current === undefined) return;
    return observer.observe(box.current, isVisible.current);
  }, [observer]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (isShown) element.style.height = "";
    else element.style.height = `${height.current || rows.length * usualHeight}px`;
    return () => {
      if (isShown) height.current = element.offsetHeight || height.current;
    };
  });
  return (
    <div class="chunk" ref={box}>
      {isShown && rows.map((row) => <RowView key={row.key} row={row} view={view} />)}
    </div>
  );
}

/** Height of a row that was never shown. */
const usualHeight = 90;
