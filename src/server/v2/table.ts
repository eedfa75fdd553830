import { type MethodErrors, MethodTable } from "../../jsonrpc/index.js";
import { v1Methods } from "../../protocol/rpc/v1/methods.generated.js";
import { v2Methods } from "../../protocol/rpc/v2/methods.generated.js";
import { createV1Handlers } from "../v1/table.js";
import { createAbsentHandlers } from "./absent.js";
import { accountHandlers } from "./account.js";
import { createCommandExecHandlers } from "./command-exec.js";
import { configHandlers } from "./config.js";
import type { V2Connection, V2Handlers } from "./connection.js";
import { featureHandlers } from "./feature.js";
import { createFileSearchHandlers } from "./file-search/index.js";
import { createFsHandlers } from "./fs/index.js";
import { mcpServerHandlers } from "./mcp-server.js";
import { modelHandlers } from "./model.js";
import { skillHandlers } from "./skills.js";
import { forkHandlers } from "./threads/fork.js";
import { goalHandlers } from "./threads/goals.js";
import { listHandlers } from "./threads/list.js";
import { liveHandlers } from "./threads/live.js";
import { readHandlers } from "./threads/read.js";
import { readStateHandlers } from "./threads/read-state.js";
import { resumeHandlers } from "./threads/resume.js";
import { reviewHandlers } from "./threads/review.js";
import { rollbackHandlers } from "./threads/rollback.js";
import { settingsHandlers } from "./threads/settings.js";
import { startHandlers } from "./threads/start.js";
import { storeHandlers } from "./threads/store.js";
import { summaryHandlers } from "./threads/summary.js";
import { turnHandlers } from "./turns.js";

/** Creates the method table of the app-server: v1 and v2. */
export function createV2Methods(errors: MethodErrors): MethodTable<V2Connection> {
  return new MethodTable<V2Connection>(errors)
    .add(v1Methods, createV1Handlers())
    .add(v2Methods, createV2Handlers());
}

/** Creates the handlers when the first method is called: their modules are loaded here. */
function createV2Handlers(): V2Handlers {
  return {
    ...createAbsentHandlers(),
    ...accountHandlers,
    ...createCommandExecHandlers(),
    ...configHandlers,
    ...featureHandlers,
    ...createFileSearchHandlers(),
    ...createFsHandlers(),
    ...mcpServerHandlers,
    ...modelHandlers,
    ...startHandlers,
    ...resumeHandlers,
    ...forkHandlers,
    ...readHandlers,
    ...listHandlers,
    ...storeHandlers,
    ...liveHandlers,
    ...rollbackHandlers,
    ...settingsHandlers,
    ...goalHandlers,
    ...readStateHandlers,
    ...reviewHandlers,
    ...summaryHandlers,
    ...turnHandlers,
    ...skillHandlers,
  };
}
