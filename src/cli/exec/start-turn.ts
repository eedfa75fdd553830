import type { ExecRequest } from "./exec-request.js";
import type { ExecTask } from "./run.js";

/** Says the prompt to the model, with the pictures and the schema of the command line. */
export function startTurn({ images, outputSchema }: ExecRequest): ExecTask["start"] {
  return (client, threadId, prompt) =>
    client.request("turn/start", {
      threadId,
      input: [
        ...images.map((path) => ({ type: "localImage" as const, path })),
        { type: "text", text: prompt, text_elements: [] },
      ],
      ...(outputSchema === undefined ? {} : { outputSchema }),
    });
}
