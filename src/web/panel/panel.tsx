import { PlanItem } from "../conversation/turn-parts.js";
import { Diff } from "../diff/diff.js";
import { splitFiles } from "../diff/parse-diff.js";
import { Icon } from "../lib/icon.js";
import { agentsOf } from "../state/agents.js";
import { goTo } from "../state/app.js";
import type { ThreadView } from "../state/thread-view.js";
import { BackgroundCommands } from "./background-commands.js";
import { chooseTab, panelTab, panelTabs, togglePanel } from "./panel-state.js";
import { StatusTab } from "./status-tab.js";

/** Details of the open thread beside the conversation. */
export function Panel({ view }: { view: ThreadView }) {
  const tab = panelTab.value;
  return (
    <aside class="panel" aria-label="Details">
      <div class="panel-head">
        <div role="tablist" aria-label="Details" class="tabs">
          {panelTabs.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={name === tab}
              aria-controls="panel-content"
              onClick={() => chooseTab(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <button type="button" class="ghost icon" aria-label="Close details" onClick={togglePanel}>
          <Icon name="close" />
        </button>
      </div>
      <div
        id="panel-content"
        class="panel-content"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
      >
        <Content view={view} />
      </div>
    </aside>
  );
}

function Content({ view }: { view: ThreadView }) {
  switch (panelTab.value) {
    case "Changes":
      return <TurnChanges view={view} />;
    case "Plan": {
      const plan = [...view.plans.value.values()].at(-1);
      return plan === undefined ? <p class="muted">There is no plan.</p> : <PlanItem plan={plan} />;
    }
    case "Agents":
      return <Agents view={view} />;
    case "Commands":
      return <BackgroundCommands view={view} />;
    case "Status":
      return <StatusTab view={view} />;
  }
}

/** The changes of the last turn that changed files. */
function TurnChanges({ view }: { view: ThreadView }) {
  const diff = [...view.diffs.value.values()].at(-1);
  if (diff !== undefined && diff !== "") return <Diff changes={splitFiles(diff)} />;
  const items = view.entries.value.map(({ item }) => item.value);
  const last = items.findLast(({ type }) => type === "fileChange");
  if (last?.type === "fileChange") return <Diff changes={last.changes} />;
  return <p class="muted">No files were changed.</p>;
}

function Agents({ view }: { view: ThreadView }) {
  const agents = agentsOf(view);
  if (agents.length === 0) return <p class="muted">No helper agents were started.</p>;
  return (
    <ul class="plain-list">
      {agents.map(({ threadId, path, model, state }) => (
        <li key={threadId} class="row">
          <span class={`state ${state}`} aria-hidden="true">
            {agentMarks[state]}
          </span>
          <button type="button" class="link mono grow" onClick={() => goTo(threadId)}>
            {path}
          </button>
          <span class="facts">{[model, agentWords[state]].filter(Boolean).join(" · ")}</span>
        </li>
      ))}
    </ul>
  );
}

const agentMarks = { running: "●", waiting: "◆", completed: "✓", interrupted: "✗" };
const agentWords = {
  running: "running",
  waiting: "waiting for you",
  completed: "done",
  interrupted: "stopped",
};
