import { useEffect, useRef } from "preact/hooks";
import { spellHidden } from "../../lib/hidden-characters.js";
import { unwrapShell } from "../../lib/unwrap-shell.js";
import { Fold } from "../conversation/fold.js";
import { Diff } from "../diff/diff.js";
import { useFocusAfter } from "../lib/focus.js";
import { isTyping } from "../lib/keys.js";
import { goTo } from "../state/app.js";
import { shownPath } from "../state/paths.js";
import type { ThreadView } from "../state/thread-view.js";
import {
  type ApprovalRequest,
  type Decision,
  decide,
  offeredRule,
  ruleText,
  sessionScope,
} from "./decisions.js";

/** A command, file change or permission that waits for the user. */
export function Approval({
  request,
  view,
  count,
}: {
  request: ApprovalRequest;
  view: ThreadView;
  count: number;
}) {
  const box = useRef<HTMLDivElement>(null);
  const rule = offeredRule(request);
  const answer = (decision: Decision) => decide(request, decision, view);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const decision = keys[event.key];
      if (decision === undefined || (decision === "rule" && rule === undefined)) return;
      event.preventDefault();
      answer(decision);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  useFocusAfter(box);
  const { reason, agentPath } = request.params;
  const cwd = "cwd" in request.params ? request.params.cwd : view.settings.value?.cwd;
  const changes = changesOf(request, view);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll
    <div role="group" aria-label="Approval" class="approval" ref={box}>
      <div class="approval-title">
        <span class="waiting-mark" aria-hidden="true">
          ◆
        </span>
        {titleOf(request)}
        {agentPath !== undefined && (
          <button type="button" class="link asker" onClick={() => goTo(request.params.threadId)}>
            {agentPath}
          </button>
        )}
        {count > 1 && <span class="muted"> · 1 of {count}</span>}
      </div>
      <div class="approval-what">
        <What request={request} changes={changes} />
        {reason && <p class="approval-reason">{spellHidden(reason)}</p>}
        {cwd && (
          <p class="muted">
            in <code>{spellHidden(cwd)}</code>
            {view.settings.value && ` · ${sandboxText(view.settings.value.sandbox)}`}
          </p>
        )}
      </div>
      <div class="approval-buttons">
        <AnswerButton words="Approve" letter="a" look="primary" onClick={() => answer("accept")} />
        <AnswerButton
          words="Approve for session"
          letter="s"
          describedBy="session-scope"
          onClick={() => answer("acceptForSession")}
        />
        {rule !== undefined && (
          <AnswerButton
            words="Always allow"
            letter="r"
            look="rule"
            describedBy="rule-scope"
            onClick={() => answer("rule")}
          />
        )}
        <AnswerButton words="Decline" letter="d" onClick={() => answer("decline")} />
        <AnswerButton
          words="Decline and stop"
          letter="x"
          look="danger"
          onClick={() => answer("cancel")}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <p class="approval-scope" tabIndex={0}>
        <span id="session-scope">
          For session: does not ask again for{" "}
          {sessionScope(
            request,
            changes.map(({ path }) => path),
          )}
          .
        </span>
        {rule !== undefined && (
          <span id="rule-scope">
            {" "}
            Always: saves a rule for{" "}
            {ruleText(rule) === undefined ? (
              "this command"
            ) : (
              <>
                commands that start with <code>{ruleText(rule)}</code>
              </>
            )}
            .
          </span>
        )}
      </p>
    </div>
  );
}

function AnswerButton({
  words,
  letter,
  look = "",
  describedBy,
  onClick,
}: {
  words: string;
  letter: string;
  look?: string;
  describedBy?: string;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      class={`button ${look}`}
      aria-keyshortcuts={letter}
      aria-describedby={describedBy}
      onClick={onClick}
    >
      <span class="words">{words}</span>
      <span class="key" aria-hidden="true">
        {letter}
      </span>
    </button>
  );
}

type Change = Parameters<typeof Diff>[0]["changes"][number];

/** Returns the files of a change that waits for approval. */
function changesOf({ kind, params }: ApprovalRequest, view: ThreadView): readonly Change[] {
  if (kind !== "fileChange") return [];
  const item = view.entries.value.find(({ id }) => id === params.itemId)?.item.value;
  return item?.type === "fileChange" ? item.changes : [];
}

function What({ request, changes }: { request: ApprovalRequest; changes: readonly Change[] }) {
  switch (request.kind) {
    case "command":
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      return <pre tabIndex={0}>{spellHidden(unwrapShell(request.params.command ?? ""))}</pre>;
    case "fileChange":
      return (
        <>
          <ul class="approval-files">
            {changes.map(({ path, kind }) => (
              <li key={path}>
                <code>{spellHidden(shownPath(path))}</code> <span class="muted">{kind.type}</span>
              </li>
            ))}
          </ul>
          {changes.length > 0 && (
            <Fold title="View the diff">{() => <Diff changes={changes} />}</Fold>
          )}
        </>
      );
    case "permissions": {
      const text = spellHidden(JSON.stringify(request.params.permissions, null, 2));
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      return <pre tabIndex={0}>{text}</pre>;
    }
  }
}

function titleOf(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return request.params.kind === "writeStdin"
        ? "Send this input to the running command?"
        : "Run this command?";
    case "fileChange":
      return "Change these files?";
    case "permissions":
      return "Grant these permissions?";
  }
}

/** Describes the sandbox and the network of a command. */
function sandboxText(sandbox: NonNullable<ThreadView["settings"]["value"]>["sandbox"]): string {
  const words = sandboxWords[sandbox.type];
  if (!("networkAccess" in sandbox)) return words;
  const isOpen = sandbox.networkAccess === true || sandbox.networkAccess === "enabled";
  return `${words}, ${isOpen ? "network allowed" : "no network"}`;
}

const sandboxWords = {
  dangerFullAccess: "no sandbox",
  readOnly: "read-only sandbox",
  externalSandbox: "external sandbox",
  workspaceWrite: "sandbox for the workspace",
};

const keys: Readonly<Record<string, Decision>> = {
  a: "accept",
  s: "acceptForSession",
  r: "rule",
  d: "decline",
  x: "cancel",
};
