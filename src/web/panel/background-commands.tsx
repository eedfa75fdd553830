import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ThreadBackgroundTerminal } from "../../protocol/rpc/v2/background-terminals.js";
import { durationText } from "../lib/format.js";
import { reporting } from "../state/actions.js";
import { request } from "../state/app.js";
import type { ThreadView } from "../state/thread-view.js";

/** Commands of the model that still run. */
export function BackgroundCommands({ view }: { view: ThreadView }) {
  const running = useSignal<readonly ThreadBackgroundTerminal[] | undefined>(undefined);
  const threadId = view.id;
  const load = () =>
    reporting(async () => {
      running.value = (await request("thread/backgroundTerminals/list", { threadId })).data;
    });
  useEffect(() => {
    void load();
    const timer = setInterval(() => void load(), 3000);
    return () => clearInterval(timer);
  }, [threadId]);
  if (running.value === undefined) return <p class="muted">Loading…</p>;
  if (running.value.length === 0) return <p class="muted">No commands run in the background.</p>;
  return (
    <ul class="plain-list">
      {running.value.map(({ processId, command, startedAtMs }) => (
        <li key={processId}>
          <code class="command-line">{command}</code>
          <div class="row">
            <span class="facts grow">{durationText(Math.max(0, Date.now() - startedAtMs))}</span>
            <button
              type="button"
              class="button small"
              onClick={() =>
                reporting(async () => {
                  await request("thread/backgroundTerminals/terminate", { threadId, processId });
                  await load();
                })
              }
            >
              End
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}
