// Approves or declines requests by a policy in code instead of asking the user.
//   node examples/approve-by-policy.mjs "Tidy up"
import { Codex } from "quire-agent";

const codex = new Codex({
  sandboxMode: "workspace-write",
  approvalPolicy: "untrusted",
  onApproval(request) {
    const allowed = isAllowed(request);
    const what = request.kind === "command" ? request.command : request.kind.replace("_", " ");
    console.error(`${allowed ? "approved" : "denied"}: ${what}`);
    return allowed ? "approve" : "deny";
  },
});

try {
  const { finalResponse } = await codex.startThread().run(process.argv[2] ?? "Tidy up");
  console.log(finalResponse);
} finally {
  await codex.close();
}

/** Commands that only add things, and changes of text files.
 * @param {import("quire-agent").ApprovalRequest} request */
function isAllowed(request) {
  if (request.kind === "file_change") {
    return request.changes.every(({ path }) => /\.(md|txt)$/.test(path));
  }
  if (request.kind !== "command") return false;
  return /\b(touch|mkdir)\b/.test(request.command) && !/[;&|<>`$]/.test(request.command);
}
