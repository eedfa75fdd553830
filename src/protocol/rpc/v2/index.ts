// Every resource of the v2 surface, for what is generated from them; nothing here runs.
import * as common from "./common.js";
import * as initialize from "./initialize.js";
import * as item from "./item.js";
import * as itemNotifications from "./item-notifications.js";
import * as itemParts from "./item-parts.js";
import * as model from "./model.js";
import * as policy from "./policy.js";
import * as requests from "./requests.js";
import * as status from "./status.js";
import * as turn from "./turn.js";
import * as userInput from "./user-input.js";

/** The modules that declare messages of v2, by file name. */
export const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  common,
  initialize,
  item,
  "item-notifications": itemNotifications,
  "item-parts": itemParts,
  policy,
  requests,
  status,
  turn,
  "user-input": userInput,
  model,
};
