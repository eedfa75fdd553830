import { expect, test } from "vitest";
import type { PermissionsRequestApprovalParams } from "../../../src/protocol/rpc/v2/permissions.js";
import type {
  McpServerElicitationRequestParams,
  ToolRequestUserInputParams,
} from "../../../src/protocol/rpc/v2/requests.js";
import type { ApprovalAnswer, ApprovalOptions } from "../../../src/tui/overlays/approval.js";
import { askElicitation, askUserInput } from "../../../src/tui/session/ask-form.js";
import { askPermissions } from "../../../src/tui/session/ask-permissions.js";
import type { QuestionParts } from "../../../src/tui/session/question-parts.js";
import type { View } from "../../../src/tui/view.js";

const asked = { id: 1, signal: new AbortController().signal };

/** A user that answers every dialog as scripted. */
function answering(...answers: unknown[]): QuestionParts {
  const next = async () => answers.shift();
  return { ui: { pick: next, question: next, approval: next } } as unknown as QuestionParts;
}

test("questions are answered by a choice, text or note; a skipped one has no answer", async () => {
  const question = { header: "H", question: "Q?", isOther: true, isSecret: false };
  const ids = ["a", "b", "c"];
  const questions = ids.map((id) => ({ ...question, id, options: null }));
  const parts = {
    ui: {
      questionnaire: async () => [
        { chosen: "A", note: "" },
        { chosen: "words", note: "soon" },
        { chosen: undefined, note: "" },
      ],
    },
  } as unknown as QuestionParts;

  const params = { questions } as unknown as ToolRequestUserInputParams;
  expect(await askUserInput(params, asked, parts)).toEqual({
    answers: { a: { answers: ["A"] }, b: { answers: ["words", "user_note: soon"] } },
  });
});

const form = {
  serverName: "docs",
  mode: "form",
  message: "Who?",
  requestedSchema: {
    properties: {
      name: { type: "string" },
      age: { type: "integer" },
      kind: { enum: ["x", "y"] },
      sure: { type: "boolean" },
    },
    required: ["name"],
  },
} as unknown as McpServerElicitationRequestParams;

test("an MCP form is filled in field by field", async () => {
  const parts = answering("accept", "Ada", "36", "y", true);
  expect(await askElicitation(form, asked, parts)).toEqual({
    action: "accept",
    content: { name: "Ada", age: 36, kind: "y", sure: true },
    _meta: null,
  });
});

test.each([
  [["decline"], "decline"],
  [[undefined], "cancel"],
  [["accept", undefined], "cancel"],
])("a form answered with %j has the action %s", async (answers, action) => {
  expect(await askElicitation(form, asked, answering(...answers))).toEqual({
    action,
    content: null,
    _meta: null,
  });
});

test.each<[ApprovalAnswer | undefined, unknown]>([
  ["once", { permissions: { network: { enabled: true } }, scope: "turn" }],
  ["session", { permissions: { network: { enabled: true } }, scope: "session" }],
  ["decline", { permissions: {}, scope: "turn" }],
  [undefined, { permissions: {}, scope: "turn" }],
])("a permission request answered with %s", async (answer, granted) => {
  const params = {
    reason: null,
    permissions: { network: { enabled: true }, fileSystem: null },
  } as unknown as PermissionsRequestApprovalParams;
  expect(await askPermissions(params, asked, answering(answer))).toEqual(granted);
});

test("a permission request is shown in full", async () => {
  const long = `/${"deep/".repeat(30)}end`;
  const params = {
    reason: "To publish",
    permissions: {
      network: { enabled: true },
      fileSystem: {
        read: ["/etc"],
        write: [long],
        entries: [
          { path: { type: "path", path: long }, access: "write" },
          { path: { type: "glob_pattern", pattern: "/srv/*\u202e.env" }, access: "deny" },
          { path: { type: "special", value: { kind: "root" } }, access: "read" },
        ],
      },
    },
  } as unknown as PermissionsRequestApprovalParams;
  let shown: ApprovalOptions | undefined;
  const ui = {
    async approval(options: ApprovalOptions) {
      shown = options;
    },
  };

  await askPermissions(params, asked, { ui } as unknown as QuestionParts);

  const theme = { accent: (text: string) => text };
  const lines = shown?.body({ theme, width: 40 } as unknown as View) ?? [];
  expect(lines.every((line) => line.length <= 40)).toBe(true);
  const words = lines.map((line) => line.slice(4)).join("");
  for (const part of ["use the network", `write ${long}`, "read /etc", '{"kind":"root"}']) {
    expect(words.replaceAll(" ", "")).toContain(part.replaceAll(" ", ""));
  }
  expect(words).not.toContain("\u202e");
  expect(shown).toMatchObject({
    reason: "To publish",
    answers: [{ answer: "once" }, { answer: "session" }, { answer: "decline" }],
  });
});
