import type { ReviewTarget } from "../../protocol/sqeq/events/review.js";
import { defineCommand } from "../command.js";
import { execOptions } from "../exec/exec-options.js";
import { UsageError } from "../exit-codes.js";

/** Reviews changes of the repository without a user. */
export const execReview = defineCommand({
  name: "exec review",
  summary: "Run a code review non-interactively",
  operands: "[INSTRUCTIONS|-]",
  mostOperands: 1,
  options: {
    uncommitted: { type: "boolean", help: "Review uncommitted changes" },
    base: { type: "string", value: "BRANCH", help: "Review changes against this branch" },
    commit: { type: "string", value: "SHA", help: "Review the changes of this commit" },
    title: { type: "string", value: "TEXT", help: "Title of the commit (with --commit)" },
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

/** Returns the target that an option names; undefined if instructions describe it. */
function namedTarget(given: Given, words: string | undefined): ReviewTarget | undefined {
  const { uncommitted, base, commit, title } = given;
  const count = [uncommitted || undefined, base, commit, words].filter((one) => one !== undefined);
  if (count.length !== 1) {
    throw new UsageError(
      "Give exactly one of --uncommitted, --base BRANCH, --commit SHA or INSTRUCTIONS",
    );
  }
  if (title !== undefined && commit === undefined)
    throw new UsageError("--title requires --commit SHA");
  if (uncommitted) return { type: "uncommittedChanges" };
  if (base !== undefined) return { type: "baseBranch", branch: base };
  if (commit === undefined) return undefined;
  return { type: "commit", sha: commit, ...(title === undefined ? {} : { title }) };
}

function describe(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "Review of uncommitted changes";
    case "baseBranch":
      return `Review of changes against ${target.branch}`;
    case "commit":
      return `Review of commit ${target.sha}`;
    case "custom":
      return target.instructions;
  }
}
