import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../lib/icon.js";
import type { ThreadView } from "../state/thread-view.js";
import { Chunk, ChunkObserver } from "./chunk.js";
import { conversationWidth } from "./host.js";
import { toChunks } from "./rows.js";
import { Working } from "./turn-parts.js";

/** The items of a thread. It follows the end unless the user has scrolled up. */
export function Conversation({ view }: { view: ThreadView }) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  const observer = useRef<ChunkObserver | undefined>(undefined);
  observer.current ??= new ChunkObserver();
  const chunks = useComputed(() =>
    toChunks({
      entries: view.entries.value,
      turns: view.turns.value,
      plans: view.plans.value,
    }),
  );
  const toEnd = () => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  useEffect(() => {
    const element = scroller.current;
    if (element === null || content.current === null) return;
    observer.current?.start(element);
    toEnd();
    const sizes = new ResizeObserver(() => {
      conversationWidth.value = element.clientWidth;
      if (isAtEnd.peek()) toEnd();
    });
    sizes.observe(content.current);
    sizes.observe(element);
    let last = { top: 0, height: 0, space: 0 };
    const onScroll = () => {
      const { scrollTop: top, scrollHeight: height, clientHeight: space } = element;
      // Without a change of size it was the user who scrolled.
      const isSameSize = height === last.height && space === last.space;
      if (height - top - space < endMargin) isAtEnd.value = true;
      else if (isSameSize && top < last.top) isAtEnd.value = false;
      last = { top, height, space };
      if (element.scrollTop < olderMargin && view.hasOlder.peek()) {
        // At the very top a browser would not hold the position while items are added above.
        if (element.scrollTop === 0) element.scrollTop = 1;
        void view.loadOlder();
      }
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      element.removeEventListener("scroll", onScroll);
      sizes.disconnect();
      observer.current?.stop();
    };
  }, [view, isAtEnd]);
  const sent = view.sentCount.value;
  useEffect(() => {
    isAtEnd.value = true;
    toEnd();
  }, [sent, isAtEnd]);
  const all = chunks.value;
  return (
    <div class="conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div class="scroller" ref={scroller} tabIndex={0} role="log" aria-label="Conversation">
        <div class="column" ref={content}>
          {view.hasOlder.value && <p class="muted centered">Loading earlier messages…</p>}
          {view.state.value === "failed" && (
            <p class="problem" role="alert">
              {view.problem.value}
            </p>
          )}
          {all.map(({ id, rows }, at) => (
            <Chunk
              key={id}
              rows={rows}
              view={view}
              isNearEnd={at >= all.length - shownAtOnce}
              observer={observer.current as ChunkObserver}
            />
          ))}
          <Working view={view} />
        </div>
      </div>
      {!isAtEnd.value && (
        <button type="button" class="jump" onClick={toEnd}>
          <Icon name="down" />
          Jump to latest
        </button>
      )}
    </div>
  );
}

const endMargin = 48;
const olderMargin = 2500;
/** Chunks at the end that are rendered at once. */
const shownAtOnce = 6;
