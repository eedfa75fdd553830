import type { ReviewTarget } from "../../protocol/sqeq/events/review.js";
import type { Choice } from "../overlays/picker.js";
import type { CommandContext, SlashCommand } from "./command.js";
import { git } from "./git.js";

/** `/review` */
export const review: SlashCommand = {
  name: "review",
  summary: "Review changes",
  operands: "[INSTRUCTIONS]",
  async run(context, operands) {
    const { session } = context;
    const target: ReviewTarget | undefined =
      operands === "" ? await pickTarget(context) : { type: "custom", instructions: operands };
    if (target !== undefined) await session.ask("review/start", { target, delivery: "inline" });
  },
};

async function pickTarget(context: CommandContext): Promise<ReviewTarget | undefined> {
  const kind = await context.ui.pick({
    title: "What do you want to review?",
    choices: [
      { value: "uncommittedChanges", label: "Uncommitted changes" },
      { value: "baseBranch", label: "This branch against a base branch" },
      { value: "commit", label: "A commit" },
      { value: "custom", label: "Custom instructions", description: "describe what to review" },
    ],
    preview: (value) => previewKind(context, value),
  });
  if (kind === "uncommittedChanges") return { type: kind };
  if (kind === "baseBranch") return pickBranch(context);
  if (kind === "commit") return pickCommit(context);
  if (kind === undefined) return undefined;
  const text = (await context.ui.question({ title: "Review instructions" }))?.trim();
  return text ? { type: "custom", instructions: text } : undefined;
}

async function previewKind(context: CommandContext, kind: string): Promise<string[]> {
  if (kind !== "uncommittedChanges") return [];
  const status = await git(context, "status", "--short");
  if (status === undefined) return ["This folder is not in a git repository"];
  return status.trim() === "" ? ["No uncommitted changes"] : linesOf(status);
}

async function pickBranch(context: CommandContext): Promise<ReviewTarget | undefined> {
  const format = "--format=%(refname:short)%09%(committerdate:relative)%09%(subject)";
  const refs = ["refs/heads", "refs/remotes"];
  const listed = await git(context, "for-each-ref", "--sort=-committerdate", format, ...refs);
  const current = (await git(context, "branch", "--show-current"))?.trim();
  const choices = rowsOf(listed)
    .filter(([name = ""]) => name !== current && !name.endsWith("/HEAD"))
    .map(([name = "", age = "", subject = ""]) => ({
      value: name,
      label: name,
      description: `${age} · ${subject}`,
    }));
  const branch = await pickListed(context, "Which base branch?", choices, async (name) => {
    const log = await git(context, "log", "--oneline", "--no-decorate", `${name}..HEAD`);
    const stat = await git(context, "diff", "--shortstat", `${name}...HEAD`);
    const commits = linesOf(log ?? "");
    const total =
      commits.length === 0 ? "No commits ahead of it" : `${commits.length} commits ahead`;
    return [`${total}:${stat ?? ""}`.replace(/:$/, ""), ...commits];
  });
  return branch === undefined ? undefined : { type: "baseBranch", branch };
}

async function pickCommit(context: CommandContext): Promise<ReviewTarget | undefined> {
  const listed = await git(context, "log", "-n", "200", "--format=%H%x09%cr%x09%an%x09%s");
  const choices = rowsOf(listed).map(([sha = "", age = "", author = "", subject = ""]) => ({
    value: sha,
    label: `${sha.slice(0, 7)} ${subject}`,
    description: `${age} · ${author}`,
  }));
  const sha = await pickListed(context, "Which commit?", choices, async (value) =>
    linesOf((await git(context, "show", "--stat=100", "--format=%B", value)) ?? ""),
  );
  if (sha === undefined) return undefined;
  const title = choices.find(({ value }) => value === sha)?.label.slice(8);
  return { type: "commit", sha, ...(title === undefined ? {} : { title }) };
}

/** Offers a list of git; asks for a name if git lists nothing. */
async function pickListed(
  { ui }: CommandContext,
  title: string,
  choices: readonly Choice<string>[],
  preview: (value: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (choices.length > 0) return ui.pick({ title, choices, isSearched: true, preview });
  const text = "git lists none here. Type its name.";
  return (await ui.question({ title, text }))?.trim() || undefined;
}

function rowsOf(text: string | undefined): string[][] {
  return linesOf(text ?? "").map((line) => line.split("\t"));
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
