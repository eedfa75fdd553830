// Every resource of the v1 surface, for what is generated from them; nothing here runs.
import * as account from "./account.js";
import * as approval from "./approval.js";
import * as conversation from "./conversation.js";
import * as message from "./message.js";
import * as nothing from "./nothing.js";
import * as savedConfig from "./saved-config.js";
import * as system from "./system.js";

/** The modules that declare messages of v1, by file name. */
export const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  account,
  approval,
  conversation,
  message,
  nothing,
  "saved-config": savedConfig,
  system,
};
