import Type, { type Static } from "typebox";
import { setting } from "./setting.js";

const amount = Type.Number({ exclusiveMinimum: 0 });

export const BudgetToml = Type.Object(
  {
    tokens: setting(amount, {
      text: "Tokens: input that was not cached, and output.",
      since: "quire",
    }),
    money: setting(amount, { text: "US dollars, by the prices of the models.", since: "quire" }),
    turns: setting(amount, {
      text: "Turns; in `budget.turn` and `budget.session` requests to the model.",
      since: "quire",
    }),
    seconds: setting(amount, { text: "Seconds of turns.", since: "quire" }),
  },
  { $id: "BudgetToml", description: "Limits of one scope." },
);
export interface BudgetToml extends Static<typeof BudgetToml> {}

export const BudgetsToml = Type.Object(
  {
    turn: setting(BudgetToml, { text: "Limits of each turn.", since: "quire" }),
    session: setting(BudgetToml, {
      text: "Limits of a session: a thread since it was started or resumed.",
      since: "quire",
    }),
    thread: setting(BudgetToml, { text: "Limits of a thread since its start.", since: "quire" }),
    tree: setting(BudgetToml, {
      text: "Limits of a thread and its helper agents together.",
      since: "quire",
    }),
    day: setting(BudgetToml, {
      text: "Limits of all recorded threads of the home per day, local time.",
      since: "quire",
    }),
  },
  { $id: "BudgetsToml", description: "Budgets by scope." },
);
export interface BudgetsToml extends Static<typeof BudgetsToml> {}

export const ModelPriceToml = Type.Object(
  {
    input: setting(Type.Number({ minimum: 0 }), { text: "Input.", since: "quire" }),
    cached_input: setting(Type.Number({ minimum: 0 }), {
      text: "Cached input. Default: the price of input.",
      since: "quire",
    }),
    output: setting(Type.Number({ minimum: 0 }), { text: "Output.", since: "quire" }),
  },
  { $id: "ModelPriceToml", description: "Price of a model in US dollars per million tokens." },
);
export interface ModelPriceToml extends Static<typeof ModelPriceToml> {}

/** Budgets and prices. */
export const budgetKeys = {
  budget: setting(BudgetsToml, {
    text: "Budgets. A warning comes at 80 %; at 100 % the turn fails before its next request.",
    since: "quire",
  }),
  model_prices: setting(Type.Record(Type.String(), ModelPriceToml), {
    text: "Prices by model, in addition to the known ones or instead of them.",
    since: "quire",
  }),
};
