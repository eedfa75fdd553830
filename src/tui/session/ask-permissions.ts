import type { ServerQuestion } from "../../client/index.js";
import { permissionLines } from "../../protocol/permissions-text.js";
import type {
  PermissionsRequestApprovalParams,
  PermissionsRequestApprovalResponse,
  RequestPermissionProfile,
} from "../../protocol/rpc/v2/permissions.js";
import { hang } from "../text/layout.js";
import { reveal } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { QuestionParts } from "./question-parts.js";

/** Asks for additional permissions; grants all of the request, or none of it. */
export async function askPermissions(
  { reason, permissions }: PermissionsRequestApprovalParams,
  { signal }: ServerQuestion,
  { ui }: QuestionParts,
): Promise<PermissionsRequestApprovalResponse> {
  const answer = await ui.approval(
    {
      title: "Allow these additional permissions?",
      reason: reason ?? undefined,
      body: (view) => bodyLines(permissions, view),
      answers: [
        { answer: "once", label: "Yes, for this turn" },
        { answer: "session", label: "Yes, for the rest of the session" },
        { answer: "decline" },
      ],
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

/** Renders the whole request: no part of it may stay hidden when it is granted. */
function bodyLines(permissions: RequestPermissionProfile, { theme, width }: View): string[] {
  return permissionLines(permissions).flatMap((line) =>
    hang(reveal(line), width, theme.accent("  • ")),
  );
}
