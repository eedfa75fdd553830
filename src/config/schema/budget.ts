import Type, { type Static } from "typebox";
import { setting } from "./setting.js";

const amount = Type.Number({ exclusiveMinimum: 0 });

export const BudgetToml = Type.Object(
  {
    tokens: setting(amount, {
      text: "Tokens: input that was not cached, and output.",
      since: "current",
    }),
    money: setting(amount, { text: "US dollars, by the prices of the models.", since: "current" }),
    turns: setting(amount, {
      text: "Turns; in `budget.turn` and `budget.session` requests to the model.",
      since: "current",
    }),
    seconds: setting(amount, { text: "Seconds of turns.", since: "current" }),
  },
  { $id: "BudgetToml", description: "Limits of one scope." },
);
export interface BudgetToml extends Static<typeof BudgetToml> {}

export const BudgetsToml = Type.Object(
  {
    turn: setting(BudgetToml, { text: "Limits of each turn.", since: "current" }),
    session: setting(BudgetToml, {
      text: "Limits of a session: a thread since it was started or resumed.",
      since: "current",
    }),
    thread: setting(BudgetToml, { text: "Limits of a thread since its start.", since: "current" }),
    tree: setting(BudgetToml, {
      text: "Limits of a thread and its helper agents together.",
      since: "current",
    }),
    day: setting(BudgetToml, {
      text: "Limits of all recorded threads of the home per day, local time.",
      since: "current",
    }),
  },
  { $id: "BudgetsToml", description: "Budgets by scope." },
);
export interface BudgetsToml extends Static<typeof BudgetsToml> {}

export const ModelPriceToml = Type.Object(
  {
    input: setting(Type.Number({ minimum: 0 }), { text: "Input.", since: "current" }),
    cached_input: setting(Type.Number({ minimum: 0 }), {
      text: "Cached input. Default: the price of input.",
      since: "current",
    }),
    output: setting(Type.Number({ minimum: 0 }), { text: "Output.", since: "current" }),
  },
  { $id: "ModelPriceToml", description: "Price of a model in US dollars per million tokens." },
);
export interface ModelPriceToml extends Static<typeof ModelPriceToml> {}

/** Budgets and prices. */
export const budgetKeys = {
  budget: setting(BudgetsToml, {
    text: "Budgets. A warning comes at 80 %; at 100 % the turn fails before its next request.",
    since: "current",
  }),
  model_prices: setting(Type.Record(Type.String(), ModelPriceToml), {
    text: "Prices by model, in addition to the known ones or instead of them.",
    since: "current",
  }),
};
