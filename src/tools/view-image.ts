import { resolve } from "node:path";
import { readImage } from "../lib/read-image.js";
import { defineTool } from "./define-tool.js";
import { parameters } from "./parameters.js";
import { failed, ok } from "./tool.js";

/** Shows the model a picture from the user's disk. */
export const viewImage = defineTool({
  name: "view_image",
  description:
    "Attaches a picture from the user's disk to the conversation, so that you can see it.",
  input: parameters({ path: { type: "string", description: "Where the picture is." } }, ["path"]),
  isReadOnly: () => true,
  async run({ path }, { turn, addInput }) {
    const file = resolve(turn.cwd, path);
    const { problem } = await readImage(file);
    if (problem !== undefined) return failed(`unable to attach the image at ${file}: ${problem}`);
    addInput([{ type: "local_image", path: file }]);
    return ok("attached local image path");
  },
});
