import type { AppServerClient } from "../../client/index.js";
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
  /** Called when the user should look: a question waits. */
  attention(text: string): void;
}

/** Answers the questions of the server by asking the user, one after another. */
export function answerQuestions(server: AppServerClient, parts: QuestionParts): void {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(text: string, ask: () => Promise<Answer>): Promise<Answer> => {
    parts.attention(text);
    const answered = last.then(ask);
    last = answered.catch(() => undefined);
    return answered;
  };
  server.onRequest("item/commandExecution/requestApproval", (params, question) =>
    inTurn("A command waits", () => askCommand(params, question, parts)),
  );
  server.onRequest("item/fileChange/requestApproval", (params, question) =>
    inTurn("A change waits", () => askFileChange(params, question, parts)),
  );
  server.onRequest("item/permissions/requestApproval", (params, question) =>
    inTurn("More permissions are asked for", () => askPermissions(params, question, parts)),
  );
  server.onRequest("item/tool/requestUserInput", (params, question) =>
    inTurn("A question waits", () => askUserInput(params, question, parts)),
  );
  server.onRequest("mcpServer/elicitation/request", (params, question) =>
    inTurn("A question waits", () => askElicitation(params, question, parts)),
  );
}
