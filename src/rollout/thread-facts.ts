import { takeFirstBytes } from "../lib/truncate.js";
import type { GitInfo } from "../protocol/types.js";
import type { RolloutHead } from "./head.js";

/** What lists of conversations show of one; it never changes once the user has said something. */
export interface ThreadFacts {
  id: string;
  /** When it began, as RFC 3339. */
  timestamp: string;
  /** The beginning of what it is about. */
  preview: string;
  cwd: string;
  cliVersion: string;
  originator: string;
  /** What kind of client began it; `vscode` where that was not recorded. */
  source: unknown;
  provider: string | undefined;
  git: GitInfo | undefined;
  forkedFromId: string | undefined;
  /** Whether an event near the beginning tells of it, as versions of 2025 demand. */
  hasUserEvent: boolean;
}

/** The facts that the beginning of a rollout tells; nothing when the user has not said anything. */
export function toThreadFacts(head: RolloutHead): ThreadFacts | undefined {
  const { meta, userMessage, hasUserEvent } = head;
  if (meta === undefined || userMessage === undefined) return undefined;
  return {
    id: meta.id,
    timestamp: meta.timestamp,
    preview: toPreview(userMessage),
    cwd: meta.cwd,
    cliVersion: meta.cli_version,
    originator: meta.originator,
    source: meta.source ?? "vscode",
    provider: meta.model_provider ?? undefined,
    git: meta.git ?? undefined,
    forkedFromId: meta.forked_from_id ?? undefined,
    hasUserEvent,
  };
}

/** Editors put context in front of what the user asks; only the request is shown. */
function toPreview(message: string): string {
  const review = reviewPreview(message);
  if (review !== undefined) return takeFirstBytes(review, maxPreviewBytes);
  const at = message.indexOf(requestMark);
  const request = at < 0 ? message : message.slice(at + requestMark.length).trim();
  return takeFirstBytes(request, maxPreviewBytes);
}

/** A session that starts with a review is named by its result, not by the note about it to the model. */
function reviewPreview(message: string): string | undefined {
  const note = /^<user_action>[\s\S]*<action>review<\/action>/.exec(message.trimStart());
  if (note === null) return undefined;
  const results = /<results>\s*([\s\S]*?)\s*<\/results>/.exec(message)?.[1] ?? "";
  const first = results.split("\n")[0]?.trim() ?? "";
  return first === "" || first === "None." ? "Code review" : `Code review: ${first}`;
}

/** A message may be a whole file that was pasted; a list is not the place for it. */
const maxPreviewBytes = 4096;

const requestMark = "## My request for Codex:";
