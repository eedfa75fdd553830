import { textDraft } from "../composer/draft.js";
import { editOutside, editorCommand } from "../host/handoff.js";
import type { ThreadRequest } from "../session/session.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";

/** `/plan` */
export const plan: SlashCommand = {
  name: "plan",
  summary: "Switch plan mode on or off",
  operands: "[TASK]",
  async run(context, operands) {
    const { session } = context;
    const isOn = session.conversation.status.settings?.mode === "plan";
    const mode = isOn && operands === "" ? "default" : "plan";
    setMode(context, mode);
    if (mode === "plan") {
      printNotice(context, "Plan mode is on", "Nothing is changed until you accept a plan");
    } else printNotice(context, "Plan mode is off");
    if (operands !== "") await session.send(textDraft(operands));
  },
};

/** `/implement` */
export const implement: SlashCommand = {
  name: "implement",
  summary: "Decide about the proposed plan",
  async run(context) {
    const { proposedPlan } = context.session.conversation.status;
    if (proposedPlan === undefined) {
      const hint = "Switch plan mode on with /plan and describe a task";
      printNotice(context, "There is no proposed plan", hint);
    } else await decideAboutPlan(context, proposedPlan);
  },
};

/** Offers the choices that follow a proposed plan; called when its turn has ended. */
export async function offerPlan(context: CommandContext): Promise<void> {
  const { composer, session } = context;
  const { proposedPlan, settings } = session.conversation.status;
  if (proposedPlan === undefined || settings?.mode !== "plan") return;
  // A dialog would take the keys of a message that the user is typing.
  if (composer.isEmpty) await decideAboutPlan(context, proposedPlan);
  else printNotice(context, "The plan is ready", "Decide about it with /implement");
}

type PlanChoice = "implement" | "fresh" | "planning" | "edit";

async function decideAboutPlan(context: CommandContext, proposed: string): Promise<void> {
  const { composer, host, session, ui } = context;
  let text = proposed;
  for (;;) {
    const isEdited = text !== proposed;
    const choice = await ui.pick<PlanChoice>({
      title: isEdited ? "Implement the edited plan?" : "Implement this plan?",
      choices: [
        { value: "implement", label: "Yes", description: "implement it in this session" },
        {
          value: "fresh",
          label: "Yes, in a new session",
          description: "with an empty context: only the plan is passed on",
        },
        {
          value: "planning",
          label: "No, keep planning",
          description: "tell the agent what to change",
        },
        { value: "edit", label: "Edit the plan", description: editHint(host.env) },
      ],
    });
    if (choice === undefined || choice === "planning") return;
    if (choice === "implement") {
      setMode(context, "default");
      const edited = `Implement this plan, which I have edited:\n\n${text}`;
      return session.send(textDraft(isEdited ? edited : "Implement the plan."));
    }
    if (choice === "fresh") {
      await startFresh(context);
      return session.send(textDraft(`Implement this plan:\n\n${text}`));
    }
    const editor = editorCommand(host.env);
    if (editor === undefined) return composer.setText(`Use this plan instead:\n\n${text}`);
    text = (await editOutside(ui.screen, text, editor)) || text;
  }
}

function editHint(env: CommandContext["host"]["env"]): string {
  const editor = editorCommand(env);
  return editor === undefined ? "in the composer" : `in ${editor}`;
}

/** Starts a new thread in default mode, with the other settings of this one. */
async function startFresh({ session }: CommandContext): Promise<void> {
  const { settings } = session.conversation.status;
  if (settings === undefined) return session.start();
  const { model, provider, approval, sandbox, cwd, effort } = settings;
  await session.start({
    model,
    modelProvider: provider,
    cwd,
    approvalPolicy: approval as NonNullable<ThreadRequest["approvalPolicy"]>,
    // Thread settings have no name for a sandbox of another program.
    ...(sandbox === "external-sandbox"
      ? {}
      : { sandbox: sandbox as NonNullable<ThreadRequest["sandbox"]> }),
  });
  if (effort !== undefined) session.override({ effort });
}

function setMode({ session }: CommandContext, mode: "default" | "plan"): void {
  const { settings } = session.conversation.status;
  session.override({
    collaborationMode: {
      mode,
      settings: {
        model: settings?.model ?? "",
        reasoning_effort: settings?.effort ?? null,
        developer_instructions: null,
      },
    },
  });
}
