import { render } from "preact";
import type { ExportedThread } from "../../protocol/exported-thread.js";
import { Conversation } from "../conversation/conversation.js";
import { baseName, counted } from "../lib/format.js";
import { shownFolder } from "../state/paths.js";
import { ThreadView } from "../state/thread-view.js";

const root = document.querySelector("#page");
const data = document.querySelector("#thread")?.textContent;
if (root === null || !data) throw new Error("The file is not complete; export the session again");
const thread = JSON.parse(data) as ExportedThread;
const view = new ThreadView(thread.id);
view.fill(
  thread.turns.flatMap(({ id: turnId, items }) => items.map((item) => ({ turnId, item }))),
  thread.turns,
);
shownFolder.value = thread.cwd;
root.replaceChildren();
render(<ExportPage />, root);

/** An exported thread: the conversation, and nothing that needs a server. */
function ExportPage() {
  const day = new Date(thread.createdAt * 1000).toLocaleDateString(undefined, {
    dateStyle: "medium",
  });
  return (
    <main>
      <header class="top">
        <div class="top-title">
          <h1>{thread.title}</h1>
          <span class="muted">{baseName(thread.cwd)}</span>
        </div>
        <span class="facts">
          {counted(thread.turns.length, "turn")} · {day}
        </span>
      </header>
      <Conversation view={view} />
    </main>
  );
}
