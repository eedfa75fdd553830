import { reporting } from "../state/actions.js";
import { request } from "../state/app.js";
import type { ThreadView } from "../state/thread-view.js";

/** Messages that each start a turn when those before have ended. */
export function Queue({ view, onEdit }: { view: ThreadView; onEdit(text: string): void }) {
  const queue = view.queue.value;
  const threadId = view.id;
  if (queue.length === 0) return null;
  const remove = (queuedSubmissionId: string) =>
    request("thread/queue/delete", { threadId, queuedSubmissionId });
  return (
    <section class="queue" aria-label="Queue">
      <h2 class="facts">Queued · {queue.length}</h2>
      <ol>
        {queue.map(({ id, input }) => {
          const text = input
            .map((part) => (part.type === "text" ? part.text : "(image)"))
            .join(" ");
          const isText = input.every(({ type }) => type === "text");
          return (
            <li key={id} class="row">
              <span class="grow queued-text">{text}</span>
              {isText && (
                <button
                  type="button"
                  class="ghost small"
                  onClick={() =>
                    reporting(async () => {
                      if ((await remove(id)).deleted) onEdit(text);
                    })
                  }
                >
                  Edit
                </button>
              )}
              <button
                type="button"
                class="ghost small"
                aria-label={`Remove ${text.slice(0, 60)}`}
                onClick={() =>
                  reporting(async () => {
                    await remove(id);
                  })
                }
              >
                Remove
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Messages for the running turn that the model has not read yet. */
export function SentMessages({ view }: { view: ThreadView }) {
  const sent = view.progress.sent.value;
  if (sent.length === 0) return null;
  return (
    <section class="queue" aria-label="Sent">
      <h2 class="facts">Sent · the model reads it at its next step</h2>
      <ol>
        {sent.map(({ clientId, text }) => (
          <li key={clientId} class="queued-text">
            {text === "" ? "(image)" : text}
          </li>
        ))}
      </ol>
    </section>
  );
}
