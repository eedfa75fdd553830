import { expect, test } from "vitest";
import { Questions } from "../../src/engine/permissions.js";

const never = new AbortController().signal;

test("an answer goes to the question with its call id, even if another has it as a second id", async () => {
  const questions = new Questions<string>();
  const first = questions.ask("c1", ["c2"], never);
  const second = questions.ask("c2", [], never);

  expect(questions.settle("c2", "second")).toBe(true);
  expect(questions.settle("c2", "first")).toBe(true);

  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
});

test("one id for two questions answers them in order", async () => {
  const questions = new Questions<number>();
  const asked = [questions.ask("a", ["turn"], never), questions.ask("b", ["turn"], never)];

  questions.settle("turn", 1);
  questions.settle("turn", 2);

  expect(await Promise.all(asked)).toEqual([1, 2]);
  expect(questions.settle("turn", 3)).toBe(false);
});

test("an abort rejects the question with its reason, and a late answer finds nothing", async () => {
  const questions = new Questions<string>();
  const controller = new AbortController();
  const asked = questions.ask("c1", [], controller.signal);

  controller.abort(new Error("stopped"));

  await expect(asked).rejects.toThrow("stopped");
  expect(questions.settle("c1", "late")).toBe(false);
});

test("nothing is asked after an abort", async () => {
  const questions = new Questions<string>();

  await expect(questions.ask("c1", [], AbortSignal.abort(new Error("gone")))).rejects.toThrow(
    "gone",
  );
  expect(questions.settle("c1", "x")).toBe(false);
});
