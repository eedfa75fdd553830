import Type, { type Static } from "typebox";
import { described, taggedUnion } from "../schema.js";
import { AddToHistoryOp } from "./add-to-history.js";
import { CompactOp } from "./compact.js";
import { ConfigureSessionOp } from "./configure-session.js";
import { DynamicToolResponseOp } from "./dynamic-tool-response.js";
import { ExecApprovalOp } from "./exec-approval.js";
import { GetHistoryEntryRequestOp } from "./get-history-entry-request.js";
import { GetPathOp } from "./get-path.js";
import { InjectItemsOp } from "./inject-items.js";
import { InterruptOp } from "./interrupt.js";
import { ListCustomPromptsOp } from "./list-custom-prompts.js";
import { ListMcpToolsOp } from "./list-mcp-tools.js";
import { ListSkillsOp } from "./list-skills.js";
import { OverrideTurnContextOp } from "./override-turn-context.js";
import { PatchApprovalOp } from "./patch-approval.js";
import { RequestPermissionsResponseOp } from "./request-permissions-response.js";
import { ResolveElicitationOp } from "./resolve-elicitation.js";
import { ReviewOp } from "./review.js";
import { RunUserShellCommandOp } from "./run-user-shell-command.js";
import { SetThreadNameOp } from "./set-thread-name.js";
import { ShutdownOp } from "./shutdown.js";
import { SteerInputOp } from "./steer-input.js";
import { ThreadRollbackOp } from "./thread-rollback.js";
import { UserInputOp } from "./user-input.js";
import { UserInputAnswerOp } from "./user-input-answer.js";
import { UserTurnOp } from "./user-turn.js";

/** What a client can ask of the engine. */
export type Op =
  | ConfigureSessionOp
  | InterruptOp
  | UserInputOp
  | UserTurnOp
  | OverrideTurnContextOp
  | ExecApprovalOp
  | PatchApprovalOp
  | UserInputAnswerOp
  | RequestPermissionsResponseOp
  | AddToHistoryOp
  | GetHistoryEntryRequestOp
  | GetPathOp
  | ListMcpToolsOp
  | ListCustomPromptsOp
  | ListSkillsOp
  | CompactOp
  | ReviewOp
  | ResolveElicitationOp
  | DynamicToolResponseOp
  | InjectItemsOp
  | RunUserShellCommandOp
  | SetThreadNameOp
  | SteerInputOp
  | ThreadRollbackOp
  | ShutdownOp;
export const Op = taggedUnion(
  "Op",
  "type",
  [
    ConfigureSessionOp,
    InterruptOp,
    UserInputOp,
    UserTurnOp,
    OverrideTurnContextOp,
    ExecApprovalOp,
    PatchApprovalOp,
    UserInputAnswerOp,
    RequestPermissionsResponseOp,
    AddToHistoryOp,
    GetHistoryEntryRequestOp,
    GetPathOp,
    ListMcpToolsOp,
    ListCustomPromptsOp,
    ListSkillsOp,
    CompactOp,
    ReviewOp,
    ResolveElicitationOp,
    DynamicToolResponseOp,
    InjectItemsOp,
    RunUserShellCommandOp,
    SetThreadNameOp,
    SteerInputOp,
    ThreadRollbackOp,
    ShutdownOp,
  ],
  "What a client can ask of the engine.",
);

export const Submission = Type.Object(
  {
    id: Type.String({
      description: "Chosen by the client; the events that follow from it carry the same id.",
    }),
    op: described(Op, "What is asked."),
  },
  { $id: "Submission", description: "A message from the client to the engine." },
);
export interface Submission extends Static<typeof Submission> {
  op: Op;
}
