import { listenScriptedModel } from "../../model/scripted/index.js";
import { createDemoProject } from "../demo/project.js";
import { demoScript } from "../demo/script.js";

/** The scripted model with a small project to work on; must be closed. */
export interface TuiDemo {
  /** What a thread is begun with to use it. */
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

/** Starts the demonstration: only the model is scripted, all that it sets off is real. */
export async function startTuiDemo(): Promise<TuiDemo> {
  const project = await createDemoProject();
  const model = await listenScriptedModel({ script: demoScript, record: false });
  const provider = { name: "Scripted model", base_url: model.baseUrl, wire_api: "responses" };
  return {
    request: {
      cwd: project.workspace,
      model: "scripted-model",
      modelProvider: "demo",
      // It asks often, so that there is something to see.
      approvalPolicy: "untrusted",
      sandbox: "workspace-write",
      config: { "model_providers.demo": provider },
    },
    async close() {
      await model.close();
      await project.remove();
    },
  };
}
