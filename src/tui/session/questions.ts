import type { AppServerClient } from "../../client/index.js";
import type { PendingQuestion } from "../state/status.js";
import { askCommand } from "./ask-command.js";
import { askFileChange } from "./ask-file-change.js";
import { askElicitation, askUserInput } from "./ask-form.js";
import { askPermissions } from "./ask-permissions.js";
import { partsFor, type QuestionParts } from "./question-parts.js";

/** Answers server requests by asking the user, one at a time. */
export function answerQuestions(server: AppServerClient, parts: QuestionParts): void {
  const { transcript, status } = parts.session.conversation;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async <Answer>(
    kind: PendingQuestion["kind"],
    text: string,
    itemId: string | undefined,
    ask: () => Promise<Answer>,
  ): Promise<Answer> => {
    parts.attention(text);
    const answered = status.asked(kind);
    // Also while an earlier dialog is open: the item does not run before it is approved.
    if (itemId !== undefined) transcript.hold(itemId);
    const answer = last.then(ask);
    last = answer.catch(() => undefined);
    return answer.finally(() => {
      answered();
      if (itemId !== undefined) transcript.release(itemId, parts.now());
    });
  };
  server.onRequest("item/commandExecution/requestApproval", (params, question) =>
    inTurn("approval", "A command needs approval", params.itemId, () =>
      askCommand(params, question, partsFor(params.threadId, parts)),
    ),
  );
  server.onRequest("item/fileChange/requestApproval", (params, question) =>
    inTurn("approval", "A change needs approval", params.itemId, () =>
      askFileChange(params, question, partsFor(params.threadId, parts)),
    ),
  );
  server.onRequest("item/permissions/requestApproval", (params, question) =>
    inTurn("approval", "More permissions are requested", undefined, () =>
      askPermissions(params, question, partsFor(params.threadId, parts)),
    ),
  );
  server.onRequest("item/tool/requestUserInput", (params, question) =>
    inTurn("answer", "The agent has a question", undefined, () =>
      askUserInput(params, question, partsFor(params.threadId, parts)),
    ),
  );
  server.onRequest("mcpServer/elicitation/request", (params, question) =>
    inTurn("answer", "An MCP server has a question", undefined, () =>
      askElicitation(params, question, parts),
    ),
  );
}
