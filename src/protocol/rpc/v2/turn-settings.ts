import Type, { type Static } from "typebox";
import { ReasoningEffort, ReasoningSummary } from "../../config-types.js";
import { ApprovalsReviewer } from "../../policy.js";
import { allSince, Nullish } from "../../schema.js";
import { defineMethod } from "../declare.js";

export const TurnSettingsUpdateParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread id (UUID)." }),
    turnId: Type.String({ description: "Running turn." }),
    model: Nullish(Type.String(), { description: "Model name. Default: unchanged." }),
    effort: Nullish(ReasoningEffort, { description: "Reasoning effort. Default: unchanged." }),
    summary: Nullish(ReasoningSummary, {
      description: "Detail of the reasoning summary. Default: unchanged.",
    }),
    serviceTier: Nullish(Type.String(), {
      description: "Not supported: any value but `null` is refused.",
    }),
    approvalsReviewer: Nullish(ApprovalsReviewer, {
      description: "Reviewer of approval requests. Default: unchanged.",
    }),
  },
  {
    $id: "TurnSettingsUpdateParams",
    description: "Params of `turn/settings/update`.",
  },
);
export interface TurnSettingsUpdateParams extends Static<typeof TurnSettingsUpdateParams> {}

export const TurnSettingsUpdateResponse = Type.Object(
  allSince("0.166", {
    status: Type.Enum(["applied", "targetUnavailable"], {
      description: "`targetUnavailable`: the turn is not running.",
    }),
  }),
  { $id: "TurnSettingsUpdateResponse", description: "Result of `turn/settings/update`." },
);
export interface TurnSettingsUpdateResponse extends Static<typeof TurnSettingsUpdateResponse> {}

export const turnSettingsMethods = [
  defineMethod({
    name: "turn/settings/update",
    summary:
      "Changes settings of the running turn, from its next step on. Requires `features.step_model_switching`.",
    scope: "thread",
    params: TurnSettingsUpdateParams,
    result: TurnSettingsUpdateResponse,
    since: "0.166",
    experimental: "0.166",
  }),
];
