// Every resource of the v2 surface, for what is generated from them; nothing here runs.
import * as absent from "./absent.js";
import * as account from "./account.js";
import * as commandExec from "./command-exec.js";
import * as config from "./config.js";
import * as conversationSummary from "./conversation-summary.js";
import * as feature from "./feature.js";
import * as fileSearch from "./file-search.js";
import * as fs from "./fs.js";
import * as goal from "./goal.js";
import * as hooks from "./hooks.js";
import * as initialize from "./initialize.js";
import * as item from "./item.js";
import * as itemNotifications from "./item-notifications.js";
import * as itemParts from "./item-parts.js";
import * as mcpServer from "./mcp-server.js";
import * as model from "./model.js";
import * as nothing from "./nothing.js";
import * as permissions from "./permissions.js";
import * as policy from "./policy.js";
import * as readState from "./read-state.js";
import * as requests from "./requests.js";
import * as review from "./review.js";
import * as skills from "./skills.js";
import * as status from "./status.js";
import * as thread from "./thread.js";
import * as threadHistory from "./thread-history.js";
import * as threadInput from "./thread-input.js";
import * as threadList from "./thread-list.js";
import * as threadSettings from "./thread-settings.js";
import * as threadStart from "./thread-start.js";
import * as turn from "./turn.js";
import * as userInput from "./user-input.js";

/** The modules that declare messages of v2, by file name. */
export const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  absent,
  account,
  "command-exec": commandExec,
  config,
  feature,
  "file-search": fileSearch,
  fs,
  initialize,
  item,
  "item-notifications": itemNotifications,
  "item-parts": itemParts,
  permissions,
  policy,
  "read-state": readState,
  requests,
  skills,
  status,
  "conversation-summary": conversationSummary,
  goal,
  hooks,
  review,
  thread,
  "thread-history": threadHistory,
  "thread-input": threadInput,
  "thread-list": threadList,
  "thread-settings": threadSettings,
  "thread-start": threadStart,
  turn,
  "user-input": userInput,
  "mcp-server": mcpServer,
  model,
  nothing,
};
