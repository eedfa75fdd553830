import { listenScriptedModel, type Script } from "../../model/scripted/index.js";
import { createDemoProject, demoAnswers, demoModel, demoProvider } from "../demo/script.js";

/** The scripted model with a small project to work on; must be closed. */
export interface TuiDemo {
  /** Params of a thread that uses it. */
  request: {
    cwd: string;
    model: string;
    modelProvider: string;
    approvalPolicy: "untrusted";
    sandbox: "workspace-write";
    config: Record<string, unknown>;
  };
  close(): Promise<void>;
}

/** The script, then one answer for every later prompt. */
const tuiScript: Script = {
  after: "repeat",
  answers: [
    ...demoAnswers,
    [
      {
        message:
          "That was the demo: all answers were scripted. To work with a real model, press Ctrl+D, start again and choose one.",
      },
    ],
  ],
};

/** Starts the demo: only the model is scripted, its effects are real. */
export async function startTuiDemo(): Promise<TuiDemo> {
  const project = await createDemoProject();
  const model = await listenScriptedModel({ script: tuiScript, record: false });
  const provider = { name: "Scripted model", base_url: model.baseUrl, wire_api: "responses" };
  return {
    request: {
      cwd: project.workspace,
      model: demoModel,
      modelProvider: demoProvider,
      // Asks for many approvals, so that there is something to see.
      approvalPolicy: "untrusted",
      sandbox: "workspace-write",
      config: { [`model_providers.${demoProvider}`]: provider },
    },
    async close() {
      await model.close();
      await project.remove();
    },
  };
}
