import { createLocalParts } from "../../src/engine/local/parts.js";
import { listenScriptedModel } from "../../src/model/scripted/index.js";
import { parseResponseItem } from "../../src/protocol/read/index.js";
import type { SuiteCase, SuiteContext } from "../suite.js";
import { CaseBindings } from "./bindings.js";
import { checkRun } from "./expect-run.js";
import type { Scenario } from "./scenario.js";
import { loadScenarioConfig, preparePlace, toConfigureOp } from "./settings.js";

/** Asks the model with the input given, without an engine around it. */
export async function runClientCase(
  testCase: SuiteCase,
  { dir }: SuiteContext,
): Promise<string | undefined> {
  const scenario = testCase as SuiteCase & Scenario;
  const place = await preparePlace(scenario, dir);
  await using server = await listenScriptedModel({ script: [[{ completed: true }]] });
  const op = toConfigureOp(scenario.config, place, new URL(server.baseUrl).origin);
  const config = await loadScenarioConfig(op, place);
  const { env, workspace: cwd, era } = place;
  const parts = createLocalParts({ env, cwd, era: era.name });
  const model = await parts.createModel(config);
  const prompt = {
    model: config.model,
    instructions: "",
    input: (testCase.prompt_input as unknown[]).map(parseResponseItem),
    tools: [],
    parallelToolCalls: false,
    conversationId: "conversation",
  };
  for await (const _ of model.stream(prompt, new AbortController().signal));
  model.close();
  await parts.close();
  const bindings = new CaseBindings(dir);
  const { requests } = server;
  const run = {
    place,
    bindings,
    requests,
    conversations: [],
    events: [],
    rolloutPath: "",
    rollout: [],
  };
  return checkRun(scenario, run, testCase.expect as object);
}
