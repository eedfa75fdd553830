import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ResultOf } from "../../client/index.js";
import { counted, durationText, tokensText } from "../lib/format.js";
import { setGoal } from "../state/actions.js";
import { request } from "../state/app.js";
import type { ThreadView } from "../state/thread-view.js";

interface Facts {
  usage: ResultOf<"usage/read"> | undefined;
  servers: ResultOf<"mcpServerStatus/list"> | undefined;
  hooks: ResultOf<"hooks/list"> | undefined;
  config: ResultOf<"config/read"> | undefined;
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
      quietly(request("config/read", cwd === undefined ? {} : { cwd })),
    ]).then(([usage, servers, hooks, config]) => {
      facts.value = { usage, servers, hooks, config };
    });
  }, [threadId, cwd, facts]);
  const limits = budgetLines(facts.value?.config?.config);
  const total = facts.value?.usage?.total;
  const hooks = facts.value?.hooks?.data.flatMap((entry) => entry.hooks) ?? [];
  const servers = facts.value?.servers?.data ?? [];
  return (
    <dl class="facts-list">
      <dt>Goal</dt>
      <dd>
        <GoalForm view={view} />
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
      <dt>Budget</dt>
      <dd>
        {limits.length === 0 && <span class="muted">No limits</span>}
        {limits.map((limit) => (
          <div key={limit}>{limit}</div>
        ))}
      </dd>
      <dt>MCP servers</dt>
      <dd>
        {servers.length === 0 && <span class="muted">None</span>}
        {servers.map(({ name, tools, authStatus, toolsError }) => (
          <div key={name}>
            {name} <span class="muted">{counted(Object.keys(tools).length, "tool")}</span>
            {authStatus === "notLoggedIn" && <span class="notice-warning"> · sign-in needed</span>}
            {toolsError && <div class="notice-error">{toolsError}</div>}
          </div>
        ))}
      </dd>
      <dt>Hooks</dt>
      <dd>
        {hooks.length === 0 && <span class="muted">None</span>}
        {hooks.map(({ key, eventName, command, enabled, trustStatus }) => (
          <div key={key}>
            {eventName} <code class="muted">{command}</code>
            {!enabled && <span class="muted"> · off</span>}
            {trustStatus === "untrusted" && <span class="notice-warning"> · not trusted</span>}
          </div>
        ))}
      </dd>
    </dl>
  );
}

/** Sets, changes or clears the goal. */
function GoalForm({ view }: { view: ThreadView }) {
  const goal = view.goal.value;
  const text = useSignal(goal?.objective ?? "");
  useEffect(() => {
    text.value = goal?.objective ?? "";
  }, [goal?.objective, text]);
  return (
    <form
      class="goal-form"
      onSubmit={(event) => {
        event.preventDefault();
        void setGoal(view, text.value);
      }}
    >
      <textarea
        aria-label="Goal"
        rows={2}
        placeholder="Turns follow by themselves until it is reached"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="row">
        <button type="submit" class="button small" disabled={text.value.trim() === ""}>
          Set goal
        </button>
        {goal !== undefined && (
          <button type="button" class="ghost small" onClick={() => void setGoal(view, "")}>
            Clear
          </button>
        )}
      </div>
      {goal !== undefined && (
        <div class="muted">
          {goal.status} · {tokensText(goal.tokensUsed)}
          {goal.tokenBudget === null ? "" : ` of ${tokensText(goal.tokenBudget)}`} tokens ·{" "}
          {durationText(goal.timeUsedSeconds * 1000)}
        </div>
      )}
    </form>
  );
}

/** Returns the limits of `[budget]` as lines: `day: $5, 200 turns`. */
function budgetLines(config: unknown): string[] {
  const budget = (config as { budget?: Record<string, Record<string, number | undefined>> } | null)
    ?.budget;
  return Object.entries(budget ?? {}).flatMap(([scope, limits]) => {
    const { money, tokens, turns, seconds } = limits ?? {};
    const parts = [
      money === undefined ? "" : `$${money}`,
      tokens === undefined ? "" : `${tokensText(tokens)} tokens`,
      turns === undefined ? "" : counted(turns, "turn"),
      seconds === undefined ? "" : durationText(seconds * 1000),
    ].filter((part) => part !== "");
    return parts.length === 0 ? [] : [`${scope}: ${parts.join(", ")}`];
  });
}
