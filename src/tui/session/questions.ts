import type { AppServerClient } from "../../client/index.js";
import type { PendingQuestion } from "../state/status.js";
import type { Ui } from "../ui.js";
import { askCommand } from "./ask-command.js";
import { askElicitation } from "./ask-elicitation.js";
import { askFileChange } from "./ask-file-change.js";
import { askPermissions } from "./ask-permissions.js";
import { askUserInput } from "./ask-user-input.js";
import type { Session } from "./session.js";

/** What is needed to ask the user. */
export interface QuestionParts {
  ui: Ui;
  session: Session;
  /** Called when a question needs the user. */
  attention(text: string): void;
  now(): number;
}

/** Answers the questions of the server by asking the user, one after another. */
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
    // Also while another question comes first: it does not run before it is approved.
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
      askCommand(params, question, parts),
    ),
  );
  server.onRequest("item/fileChange/requestApproval", (params, question) =>
    inTurn("approval", "A change needs approval", params.itemId, () =>
      askFileChange(params, question, parts),
    ),
  );
  server.onRequest("item/permissions/requestApproval", (params, question) =>
    inTurn("approval", "More permissions are requested", undefined, () =>
      askPermissions(params, question, parts),
    ),
  );
  server.onRequest("item/tool/requestUserInput", (params, question) =>
    inTurn("answer", "The agent has a question", undefined, () =>
      askUserInput(params, question, parts),
    ),
  );
  server.onRequest("mcpServer/elicitation/request", (params, question) =>
    inTurn("answer", "An MCP server has a question", undefined, () =>
      askElicitation(params, question, parts),
    ),
  );
}
