import { render } from "preact";
import { App } from "./app.js";
import { host } from "./conversation/host.js";
import { TurnActions } from "./conversation/turn-actions.js";
import { openFile, openRewind } from "./overlay/overlay-state.js";

const root = document.querySelector("#page");
if (root === null) throw new Error("index.html has no element #page");
host.value = {
  turnActions: (view, turn) => <TurnActions view={view} turn={turn} />,
  rewind: (turnId) => openRewind({ kind: "rewind", turnId }),
  viewFile: openFile,
};
root.replaceChildren(); // the text for the first paint
render(<App />, root);
