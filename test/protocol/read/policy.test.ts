import { expect, test } from "vitest";
import { parseSubmission } from "../../../src/protocol/read/submission.js";

const answer = (decision: unknown) => ({
  id: "1",
  op: { type: "exec_approval", id: "c1", decision },
});

test("[documents D15] the error for a wrong decision lists every value that is taken", () => {
  let message = "";
  try {
    parseSubmission(answer("maybe"));
  } catch (error) {
    message = (error as Error).message;
  }

  expect(message).toContain('(got "maybe")');
  const listed = [...message.matchAll(/"(\w+)"(?= \(or|,|\))/g)].flatMap(([, word]) => word ?? []);
  const taken = listed.filter((word) => word !== "maybe");
  expect(taken.length).toBe(11);
  for (const word of taken) expect(() => parseSubmission(answer(word))).not.toThrow();
});
