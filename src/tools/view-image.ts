import { resolve } from "node:path";
import { deniedImage, readImage } from "../lib/image.js";
import {
  defineTool,
  offerOnly,
  offersAll,
  standaloneTool,
  supportsDetail,
  type ToolChoice,
} from "./define-tool.js";
import { parameters, suggested } from "./parameters.js";
import { failed, ok, type ToolContext, type ToolOutput, type ToolTurn } from "./tool.js";

const asked = {
  name: "view_image",
  description:
    "Attaches a picture from the user's disk to the conversation, so that you can see it.",
  input: parameters(
    {
      detail: {
        type: "string",
        description: "How closely you need to see it: `high`, or `original` for every pixel.",
        [suggested]: ["high", "original"],
      },
      path: { type: "string", description: "Where the picture is." },
    },
    ["path"],
  ),
};

/** Shows the model a picture from the user's disk, as closely as the model asks. */
export const viewImageClosely = defineTool({
  ...asked,
  isReadOnly: () => true,
  async run({ path, detail }, context) {
    const found = await openImage(path, context);
    if ("text" in found) return found;
    const how = detail === "high" || detail === "original" ? { detail } : {};
    if (context.isNested)
      return { ...ok(""), value: { image_url: found.url, detail: null, ...how } };
    context.addInput([{ type: "local_image", path: found.file, ...how }]);
    return ok("attached local image path");
  },
});

/** The same with the picture in the output of the call, as in 0.166. */
export const viewImageInOutput = defineTool({
  ...asked,
  isReadOnly: () => true,
  async run({ path, detail }, context) {
    const found = await openImage(path, context);
    if ("text" in found) return found;
    const closeness = detail === "original" ? detail : "high";
    const picture = { type: "input_image", image_url: found.url, detail: closeness } as const;
    const value = { image_url: found.url, detail: closeness };
    return { ...ok(""), parts: [picture], ...(context.isNested ? { value } : {}) };
  },
});

/** Reads a picture and emits its path; returns the output of the call if there is none. */
async function openImage(
  path: string,
  { turn, callId, emit, readGuard }: ToolContext,
): Promise<ToolOutput | { file: string; url: string }> {
  const file = resolve(turn.cwd, path);
  const guard = await readGuard?.();
  const { url = "", problem } = await readImage(file, guard?.mayRead);
  if (problem === deniedImage) return failed(`unable to locate image at \`${file}\`: ${problem}`);
  if (problem !== undefined) return failed(`unable to attach the image at ${file}: ${problem}`);
  emit({ type: "view_image_tool_call", call_id: callId, path: file });
  return { file, url };
}

/** The same for models that see all pictures alike. */
export const viewImage = offerOnly(viewImageClosely, ["path"], ["path"]);

/** Offered to models that choose the detail of images. */
export const viewImageWithDetail = standaloneTool({
  tool: viewImageClosely,
  insteadIn: ({ behavior }) => (behavior.richSchemas ? viewImageInOutput : undefined),
  since: "0.39",
  offeredIn: (turn, choice) => offersImages(turn, choice) && supportsDetail(turn, choice),
});

/** Offered to all other models. */
export const viewImagePlain = standaloneTool({
  tool: viewImage,
  since: "0.39",
  offeredIn: (turn, choice) => offersImages(turn, choice) && !supportsDetail(turn, choice),
});

function offersImages(turn: ToolTurn, choice: ToolChoice): boolean {
  return choice.viewImage && offersAll(turn, choice);
}
