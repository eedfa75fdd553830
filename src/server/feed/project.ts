import type { Event } from "../../protocol/types.js";
import { callProjections, execProjections, reviewProjections } from "./calls.js";
import { messageProjections } from "./messages.js";
import type { Projections, ThreadProjection } from "./projection.js";
import { statusProjections } from "./status.js";
import { turnProjections } from "./turn.js";

/** Tells what an event says, in the words of v2; of some there is nothing to tell. */
export function projectEvent(event: Event, projection: ThreadProjection): void {
  const project = projections[event.msg.type] as Project | undefined;
  project?.(event, projection);
}

type Project = (event: Event, projection: ThreadProjection) => void;

const projections: Projections = {
  ...turnProjections,
  ...messageProjections,
  ...execProjections,
  ...callProjections,
  ...reviewProjections,
  ...statusProjections,
};
