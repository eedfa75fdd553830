import type { Asked, Server } from "../server.js";
import type { Ui } from "../ui.js";
import { askCommand, type CommandQuestion } from "./ask-command.js";
import { askElicitation, type ElicitationQuestion } from "./ask-elicitation.js";
import { askFileChange, type FileChangeQuestion } from "./ask-file-change.js";
import { askPermissions, type PermissionsQuestion } from "./ask-permissions.js";
import { askUserInput, type UserInputQuestion } from "./ask-user-input.js";
import type { Session } from "./session.js";

/** What is needed to ask the user. */
export interface QuestionParts {
  ui: Ui;
  session: Session;
  /** Called when the user should look: a question waits. */
  attention(text: string): void;
}

/** Answers the questions of the server by asking the user, one after another. */
export function answerQuestions(server: Server, parts: QuestionParts): void {
  let last: Promise<unknown> = Promise.resolve();
  const answer = <Params>(
    method: string,
    text: string,
    ask: (params: Params, asked: Asked, parts: QuestionParts) => Promise<unknown>,
  ) => {
    server.answer<Params>(method, (params, asked) => {
      parts.attention(text);
      const answered = last.then(() => ask(params, asked, parts));
      last = answered.catch(() => undefined);
      return answered;
    });
  };
  answer<CommandQuestion>("item/commandExecution/requestApproval", "A command waits", askCommand);
  answer<FileChangeQuestion>("item/fileChange/requestApproval", "A change waits", askFileChange);
  answer<PermissionsQuestion>(
    "item/permissions/requestApproval",
    "More permissions are asked for",
    askPermissions,
  );
  answer<UserInputQuestion>("item/tool/requestUserInput", "A question waits", askUserInput);
  answer<ElicitationQuestion>("mcpServer/elicitation/request", "A question waits", askElicitation);
}
