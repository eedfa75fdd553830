import type { Answer } from "../src/model/scripted/index.js";
import type { Route } from "./routed-model.js";

/** Answers of the model for the clients in `interop/programs`. */
export const clientRoutes: readonly Route[] = [
  { when: /Say hello/, answer: [{ message: "Hello." }] },
  {
    when: /in pieces/,
    answer: [{ message: "One two three.", deltas: ["One ", "two ", "three."] }],
  },
  { when: /Run a command/, answer: [{ call: "exec_command", args: { cmd: "echo ran" } }] },
  { when: /function_call_output/, answer: [{ message: "It ran." }] },
  { when: /Go on/, answer: [{ message: "Went on." }] },
  { when: /JSON/, answer: [{ message: '{"word":"ok"}' }] },
  { when: /picture/, answer: [{ message: "A dot." }] },
  { when: /Wait/, answer: [{ pause_ms: 20_000 }, { message: "Late." }] },
  { when: /Fail/, answer: failing() },
];

function failing(): Answer {
  const error = { message: "the model is out", type: "invalid_request_error" };
  return [{ status: 400, body: { error } }];
}
