import type { Check } from "../check.js";
import { acp } from "./acp.js";
import { aiSdk } from "./ai-sdk.js";
import { bundlers } from "./bundlers.js";
import { fleetOwnUi } from "./fleet-own-ui.js";
import { inspected } from "./inspected.js";
import { mcpInspector } from "./mcp-inspector.js";
import { mcpServers } from "./mcp-servers.js";
import { readAttacks } from "./read-attacks.js";
import { referenceResumesOurs } from "./reference-resumes-ours.js";
import { sdk } from "./sdk.js";
import { sdkSuites } from "./sdk-suites.js";
import { terminalUi } from "./terminal-ui.js";
import { weResumeTheirCopies } from "./we-resume-their-copies.js";
import { weResumeTheirs } from "./we-resume-theirs.js";

/** All checks, in the order they are run. */
export const checks: readonly Check[] = [
  ...referenceResumesOurs,
  ...weResumeTheirs,
  ...weResumeTheirCopies,
  ...mcpServers,
  ...sdk,
  ...sdkSuites,
  ...aiSdk,
  ...bundlers,
  ...readAttacks,
  ...acp,
  ...mcpInspector,
  ...terminalUi,
  fleetOwnUi,
  ...inspected,
];
