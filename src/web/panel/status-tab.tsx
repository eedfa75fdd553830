import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ResultOf } from "../../client/index.js";
import { counted, durationText, tokensText } from "../lib/format.js";
import { request } from "../state/app.js";
import type { ThreadView } from "../state/thread-view.js";

interface Facts {
  usage: ResultOf<"usage/read"> | undefined;
  servers: ResultOf<"mcpServerStatus/list"> | undefined;
  hooks: ResultOf<"hooks/list"> | undefined;
}

/** Goal, tokens and cost, MCP servers and hooks of a thread. */
export function StatusTab({ view }: { view: ThreadView }) {
  const facts = useSignal<Facts | undefined>(undefined);
  const threadId = view.id;
  const cwd = view.settings.value?.cwd;
  useEffect(() => {
    const quietly = <Value,>(value: Promise<Value>) => value.catch(() => undefined);
    void Promise.all([
      quietly(request("usage/read", { threadId, by: "model" })),
      quietly(request("mcpServerStatus/list", {})),
      quietly(request("hooks/list", cwd === undefined ? {} : { cwds: [cwd] })),
    ]).then(([usage, servers, hooks]) => {
      facts.value = { usage, servers, hooks };
    });
  }, [threadId, cwd, facts]);
  const goal = view.goal.value;
  const total = facts.value?.usage?.total;
  const hooks = facts.value?.hooks?.data.flatMap((entry) => entry.hooks) ?? [];
  const servers = facts.value?.servers?.data ?? [];
  return (
    <dl class="facts-list">
      <dt>Goal</dt>
      <dd>
        {goal === undefined ? (
          <span class="muted">None; set one with Commands, “goal …”</span>
        ) : (
          <>
            {goal.objective}
            <div class="muted">
              {goal.status} · {tokensText(goal.tokensUsed)} tokens ·{" "}
              {durationText(goal.timeUsedSeconds * 1000)}
            </div>
          </>
        )}
      </dd>
      <dt>Usage</dt>
      <dd>
        {total === undefined ? (
          <span class="muted">Not known</span>
        ) : (
          <>
            {tokensText(total.totalTokens)} tokens in {counted(total.responses, "response")}
            <div class="muted">
              {tokensText(total.inputTokens)} in, {tokensText(total.outputTokens)} out
              {total.cost === null ? "" : ` · $${total.cost.toFixed(2)}`}
            </div>
          </>
        )}
      </dd>
      <dt>MCP servers</dt>
      <dd>
        {servers.length === 0 && <span class="muted">None</span>}
        {servers.map(({ name, tools }) => (
          <div key={name}>
            {name} <span class="muted">{counted(Object.keys(tools).length, "tool")}</span>
          </div>
        ))}
      </dd>
      <dt>Hooks</dt>
      <dd>
        {hooks.length === 0 ? <span class="muted">None</span> : counted(hooks.length, "hook")}
      </dd>
    </dl>
  );
}
