import { isFeatureOn } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  TurnSettingsUpdateParams,
  TurnSettingsUpdateResponse,
} from "../../protocol/rpc/v2/turn-settings.js";
import type { Connection, V2Handlers } from "../connection.js";
import { configFor } from "./config.js";
import { toEngineReviewer } from "./policy.js";

/** Handler of `turn/settings/update`. */
export const turnSettingsHandlers = {
  "turn/settings/update": update,
} satisfies Partial<V2Handlers>;

async function update(
  params: TurnSettingsUpdateParams,
  connection: Connection,
): Promise<TurnSettingsUpdateResponse> {
  const { threadId, turnId, model, effort, summary, serviceTier, approvalsReviewer } = params;
  const thread = connection.thread(threadId);
  const { features } = await configFor(connection, threadId);
  if (!isFeatureOn("step_model_switching", features)) {
    const message = "turn settings updates require the step_model_switching feature";
    throw new CodexError("invalid_request", message);
  }
  if (serviceTier != null) {
    const message = `\`serviceTier\` cannot be changed in a turn: there are no service tiers (got ${JSON.stringify(serviceTier)})`;
    throw new CodexError("invalid_request", message);
  }
  const feed = connection.server.feeds.of(thread);
  const { applied } = await thread.request(
    {
      type: "update_turn_settings",
      turn_id: feed.messages.resolve(turnId),
      ...(model == null ? {} : { model }),
      ...(effort == null ? {} : { effort }),
      ...(summary == null ? {} : { summary }),
      ...(approvalsReviewer == null ? {} : toEngineReviewer(approvalsReviewer)),
    },
    connection.server.parts.newId(),
    "turn_settings_updated",
  );
  return { status: applied ? "applied" : "targetUnavailable" };
}
