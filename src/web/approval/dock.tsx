import { requestsOf } from "../state/requests.js";
import type { ThreadView } from "../state/thread-view.js";
import { Approval } from "./approval.js";
import { Elicitation } from "./elicitation.js";
import { Questions } from "./questions.js";

/** The oldest pending question of the open thread, or of a helper agent that works for it. */
export function PendingQuestion({ view }: { view: ThreadView }) {
  const own = requestsOf(view.id);
  const [request] = own;
  if (request === undefined) return null;
  switch (request.kind) {
    case "questions":
      return <Questions key={request.key} request={request} />;
    case "elicitation":
      return <Elicitation key={request.key} request={request} />;
    default:
      return <Approval key={request.key} request={request} view={view} count={own.length} />;
  }
}
