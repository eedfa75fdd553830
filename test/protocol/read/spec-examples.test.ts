import { expect, test } from "vitest";
import * as read from "../../../src/protocol/read/index.js";
import { type SpecExample, specExamples } from "../spec-examples.js";

const readers: Record<SpecExample["kind"], (json: unknown) => unknown> = {
  submission: read.parseSubmission,
  event: read.parseEvent,
  policy: (json) => read.parseSandboxPolicy(json),
  input: (json) => read.parseInputItem(json),
  change: (json) => read.parseFileChange(json),
  item: read.parseResponseItem,
  line: read.parseRolloutLine,
};

test.each(specExamples)("$name of the specification is read and written unchanged", (example) => {
  const sent = JSON.stringify(example.json);

  const value = readers[example.kind](JSON.parse(sent));

  expect(value).toEqual(example.json);
  expect(readers[example.kind](JSON.parse(JSON.stringify(value)))).toEqual(value);
});

test.each(specExamples.filter(({ kind }) => kind === "event"))(
  "$name of the specification fits its schema",
  ({ json }) => {
    expect(read.findEventProblem(json)).toBeUndefined();
  },
);

test("a partial workspace policy is completed", () => {
  const policy = { mode: "workspace-write", network_access: false };

  expect(read.parseSandboxPolicy(policy)).toEqual({
    mode: "workspace-write",
    writable_roots: [],
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  });
});
