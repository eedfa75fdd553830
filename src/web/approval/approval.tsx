import { useEffect } from "preact/hooks";
import { unwrapShell } from "../../lib/unwrap-shell.js";
import { Fold } from "../conversation/fold.js";
import { Diff } from "../diff/diff.js";
import { baseName } from "../lib/format.js";
import { isTyping } from "../lib/keys.js";
import { stop } from "../state/actions.js";
import { shownPath } from "../state/paths.js";
import type { PendingRequest } from "../state/requests.js";
import type { ThreadView } from "../state/thread-view.js";

type ApprovalRequest = Extract<PendingRequest, { kind: "command" | "fileChange" | "permissions" }>;
type Decision = "accept" | "acceptForSession" | "decline" | "cancel";

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
  const decide = (decision: Decision) => {
    request.answer(toAnswer(request, decision));
    // Permissions have no answer that ends the turn.
    if (request.kind === "permissions" && decision === "cancel") void stop(view);
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const decision = keys[event.key];
      if (decision === undefined) return;
      event.preventDefault();
      decide(decision);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  const { reason } = request.params;
  const cwd = "cwd" in request.params ? request.params.cwd : view.settings.value?.cwd;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll
    <div role="group" aria-label="Approval" class="approval">
      <div class="approval-title">
        <span class="waiting-mark" aria-hidden="true">
          ◆
        </span>
        {titles[request.kind]}
        {count > 1 && <span class="muted"> · 1 of {count}</span>}
      </div>
      <div class="approval-what">
        <What request={request} view={view} />
        {reason && <p class="approval-reason">{reason}</p>}
        {cwd && (
          <p class="muted">
            in <code>{cwd}</code>
            {view.settings.value && ` · ${sandboxWords[view.settings.value.sandbox.type]}`}
          </p>
        )}
      </div>
      <div class="approval-buttons">
        <button type="button" class="button primary" onClick={() => decide("accept")}>
          Approve
          <span class="key" aria-hidden="true">
            a
          </span>
        </button>
        <button
          type="button"
          class="button"
          title={sessionScope(request)}
          onClick={() => decide("acceptForSession")}
        >
          Approve for session
          <span class="key" aria-hidden="true">
            s
          </span>
        </button>
        <button type="button" class="button" onClick={() => decide("decline")}>
          Decline
          <span class="key" aria-hidden="true">
            d
          </span>
        </button>
        <button type="button" class="button danger" onClick={() => decide("cancel")}>
          Decline and stop
          <span class="key" aria-hidden="true">
            x
          </span>
        </button>
      </div>
    </div>
  );
}

function What({ request, view }: { request: ApprovalRequest; view: ThreadView }) {
  switch (request.kind) {
    case "command":
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      return <pre tabIndex={0}>{unwrapShell(request.params.command ?? "")}</pre>;
    case "fileChange": {
      const { itemId } = request.params;
      const item = view.entries.value.find(({ id }) => id === itemId)?.item.value;
      const changes = item?.type === "fileChange" ? item.changes : [];
      return (
        <>
          <ul class="approval-files">
            {changes.map(({ path, kind }) => (
              <li key={path}>
                <code>{shownPath(path)}</code> <span class="muted">{kind.type}</span>
              </li>
            ))}
          </ul>
          {changes.length > 0 && (
            <Fold title="View the diff">{() => <Diff changes={changes} />}</Fold>
          )}
        </>
      );
    }
    case "permissions":
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      return <pre tabIndex={0}>{JSON.stringify(request.params.permissions, null, 2)}</pre>;
  }
}

function toAnswer({ kind, params }: ApprovalRequest, decision: Decision): unknown {
  if (kind !== "permissions") return { decision };
  const isGranted = decision === "accept" || decision === "acceptForSession";
  return {
    permissions: isGranted ? params.permissions : {},
    scope: decision === "acceptForSession" ? "session" : "turn",
  };
}

/** Says what is approved for the session. */
function sessionScope({ kind, params }: ApprovalRequest): string {
  switch (kind) {
    case "command":
      return "Do not ask again for this command in this session";
    case "fileChange":
      return params.grantRoot
        ? `Do not ask again for changes in ${baseName(params.grantRoot)} in this session`
        : "Do not ask again for changes of these files in this session";
    case "permissions":
      return "Grant these permissions for the session";
  }
}

const titles = {
  command: "Run this command?",
  fileChange: "Change these files?",
  permissions: "Grant these permissions?",
};

const sandboxWords = {
  readOnly: "read-only sandbox",
  workspaceWrite: "workspace sandbox",
  dangerFullAccess: "no sandbox",
  externalSandbox: "external sandbox",
};

const keys: Readonly<Record<string, Decision>> = {
  a: "accept",
  s: "acceptForSession",
  d: "decline",
  x: "cancel",
};
