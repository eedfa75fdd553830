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
import { failed, ok, type ToolTurn } from "./tool.js";

/** Shows the model a picture from the user's disk, as closely as the model asks. */
export const viewImageClosely = defineTool({
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
  isReadOnly: () => true,
  async run({ path, detail }, { turn, callId, emit, addInput, readGuard }) {
    const file = resolve(turn.cwd, path);
    const guard = await readGuard?.();
    const { problem } = await readImage(file, guard?.mayRead);
    if (problem === deniedImage) return failed(`unable to locate image at \`${file}\`: ${problem}`);
    if (problem !== undefined) return failed(`unable to attach the image at ${file}: ${problem}`);
    const how = detail === "high" || detail === "original" ? { detail } : {};
    emit({ type: "view_image_tool_call", call_id: callId, path: file });
    addInput([{ type: "local_image", path: file, ...how }]);
    return ok("attached local image path");
  },
});

/** The same for models that see all pictures alike. */
export const viewImage = offerOnly(viewImageClosely, ["path"], ["path"]);

/** Offered to models that choose the detail of images. */
export const viewImageWithDetail = standaloneTool({
  tool: viewImageClosely,
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
