import type { ReviewTarget } from "../../protocol/review.js";
import { defineCommand } from "../command.js";
import { execOptions } from "../exec/exec-options.js";
import { UsageError } from "../exit-codes.js";

/** A review of the repository, without a user. */
export const execReview = defineCommand({
  name: "exec review",
  summary: "Review changes of the repository, without asking",
  operands: "[INSTRUCTIONS|-]",
  mostOperands: 1,
  options: {
    uncommitted: { type: "boolean", help: "What is changed and not committed" },
    base: { type: "string", value: "BRANCH", help: "What differs from this branch" },
    commit: { type: "string", value: "SHA", help: "What this commit changed" },
    title: { type: "string", value: "TEXT", help: "With --commit: what to call it" },
    ...execOptions,
  },
  async run({ values, positionals }, io) {
    const [{ toExecRequest }, { runExec }, { readPrompt }] = await Promise.all([
      import("../exec/exec-request.js"),
      import("../exec/run.js"),
      import("../exec/read-prompt.js"),
    ]);
    const named = namedTarget(values, positionals[0]);
    const request = await toExecRequest(values, io);
    const prompt = named === undefined ? readPrompt(positionals[0], io) : describe(named);
    return runExec(
      {
        thread: { kind: "new" },
        prompt: Promise.resolve(prompt),
        start: (client, threadId, instructions) =>
          client.request("review/start", {
            threadId,
            target: named ?? { type: "custom", instructions: instructions.trim() },
            delivery: "inline",
          }),
      },
      request,
      io,
    );
  },
});

interface Given {
  uncommitted: boolean;
  base: string | undefined;
  commit: string | undefined;
  title: string | undefined;
}

/** What the options name; nothing when it is said in words. */
function namedTarget(given: Given, words: string | undefined): ReviewTarget | undefined {
  const { uncommitted, base, commit, title } = given;
  const count = [uncommitted || undefined, base, commit, words].filter((one) => one !== undefined);
  if (count.length !== 1) {
    throw new UsageError(
      "Say one of --uncommitted, --base BRANCH, --commit SHA, or what to review",
    );
  }
  if (title !== undefined && commit === undefined) throw new UsageError("--title is for --commit");
  if (uncommitted) return { type: "uncommittedChanges" };
  if (base !== undefined) return { type: "baseBranch", branch: base };
  if (commit === undefined) return undefined;
  return { type: "commit", sha: commit, ...(title === undefined ? {} : { title }) };
}

function describe(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "Review of what is changed and not committed";
    case "baseBranch":
      return `Review of what differs from ${target.branch}`;
    case "commit":
      return `Review of commit ${target.sha}`;
    case "custom":
      return target.instructions;
  }
}
