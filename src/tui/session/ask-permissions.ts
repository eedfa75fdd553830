import type { ServerQuestion } from "../../client/index.js";
import type {
  PermissionsRequestApprovalParams,
  PermissionsRequestApprovalResponse,
} from "../../protocol/rpc/v2/requests.js";
import { hang } from "../text/layout.js";
import { reveal } from "../text/sanitize.js";
import type { QuestionParts } from "./questions.js";

/** Asks for more permissions; what is granted is what was asked for, or nothing. */
export async function askPermissions(
  { reason, permissions }: PermissionsRequestApprovalParams,
  { signal }: ServerQuestion,
  { ui }: QuestionParts,
): Promise<PermissionsRequestApprovalResponse> {
  const answer = await ui.approval(
    {
      title: "May it have these permissions?",
      reason: reason ?? undefined,
      body: ({ width }) => hang(reveal(JSON.stringify(permissions, null, 2)), width, "    "),
      answers: [{ answer: "once" }, { answer: "session" }, { answer: "decline" }],
    },
    signal,
  );
  if (answer !== "once" && answer !== "session") return { permissions: {}, scope: "turn" };
  const { network, fileSystem } = permissions;
  return {
    permissions: { ...(network ? { network } : {}), ...(fileSystem ? { fileSystem } : {}) },
    scope: answer === "session" ? "session" : "turn",
  };
}
