import { agoText, baseName } from "../lib/format.js";
import { Icon } from "../lib/icon.js";
import { reporting, send } from "../state/actions.js";
import { goTo, serverCwd, threads } from "../state/app.js";
import { titleOf } from "../threads/group-threads.js";

/** The page without a thread: where it works, and how to begin. */
export function EmptyState() {
  const project = serverCwd.value === "" ? "" : baseName(serverCwd.value);
  return (
    <div class="conversation">
      <div class="empty column" role="log" aria-label="Conversation">
        <h2>{project === "" ? "New thread" : project}</h2>
        {serverCwd.value !== "" && <p class="muted mono">{serverCwd.value}</p>}
        <ul class="starters">
          {starters.map(({ icon, text }) => (
            <li key={text}>
              <button
                type="button"
                class="starter"
                onClick={() => reporting(() => send([{ type: "text", text }]))}
              >
                <Icon name={icon} />
                {text}
              </button>
            </li>
          ))}
        </ul>
        {threads.value.length > 0 && (
          <>
            <h3>Recent</h3>
            <ul class="recent">
              {threads.value.slice(0, 3).map((thread) => (
                <li key={thread.id}>
                  <button type="button" class="link" onClick={() => goTo(thread.id)}>
                    <span class="thread-title">{titleOf(thread)}</span>
                    <span class="facts">{agoText(thread.updatedAt)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        <p class="facts">
          Paste or drop images to attach them, <kbd>@</kbd> mentions a file, <kbd>/</kbd> runs a
          command.
        </p>
      </div>
    </div>
  );
}

const starters = [
  { icon: "search", text: "Explain how this project is structured" },
  { icon: "rewind", text: "Find a bug in the code that changed last" },
  { icon: "plan", text: "Write tests for the code that has none" },
] as const;
