// Every resource of the v2 surface, for what is generated from them; nothing here runs.
import * as common from "./common.js";
import * as initialize from "./initialize.js";

/** The modules that declare messages of v2, by file name. */
export const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  common,
  initialize,
};
