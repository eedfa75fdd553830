import type { V2Handlers } from "../connection.js";
import { createAbsentHandlers } from "./absent.js";
import { accountHandlers } from "./account.js";
import { createCommandExecHandlers } from "./command-exec.js";
import { configHandlers } from "./config.js";
import { summaryHandlers } from "./conversation-summary.js";
import { featureHandlers } from "./feature.js";
import { createFileSearchHandlers } from "./file-search.js";
import { createFsHandlers } from "./fs.js";
import { goalHandlers } from "./goal.js";
import { createLateHandlers } from "./late-methods.js";
import { mcpServerHandlers } from "./mcp-server.js";
import { modelHandlers } from "./model.js";
import { readStateHandlers } from "./read-state.js";
import { reviewHandlers } from "./review.js";
import { rewindHandlers } from "./rewind.js";
import { skillHandlers } from "./skills.js";
import { storeHandlers } from "./thread.js";
import { forkHandlers } from "./thread-fork.js";
import { readHandlers, rollbackHandlers } from "./thread-history.js";
import { liveHandlers } from "./thread-input.js";
import { listHandlers } from "./thread-list.js";
import { resumeHandlers } from "./thread-resume.js";
import { settingsHandlers } from "./thread-settings.js";
import { startHandlers } from "./thread-start.js";
import { turnHandlers } from "./turn.js";

/** Creates the handlers of the v2 methods: their modules are loaded here. */
export function createV2Handlers(): V2Handlers {
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
    ...rewindHandlers,
    ...settingsHandlers,
    ...goalHandlers,
    ...createLateHandlers(),
    ...readStateHandlers,
    ...reviewHandlers,
    ...summaryHandlers,
    ...turnHandlers,
    ...skillHandlers,
  };
}
