import { describe, expect, test } from "vitest";
import { type V2Methods, v2Methods } from "../../../src/protocol/rpc/v2/methods.generated.js";

const threadId = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const text = { type: "text", text: "hi" };
const project = { idempotencyKey: "k", name: "x", roots: [{ path: "/a" }] };

type Row = [method: keyof V2Methods, params: object];

describe("accepted params of the methods of 2026", () => {
  test.each<Row>([
    ["thread/queue/add", { threadId, input: [text], clientUserMessageId: "" }],
    ["thread/queue/list", { threadId, cursor: "0", limit: 0 }],
    ["thread/queue/reorder", { threadId, queuedSubmissionIds: ["a", "a"] }],
    ["thread/queue/start", { threadId, queuedSubmissionId: "a" }],
    ["thread/goal/set", { threadId, objective: "x", status: "paused", tokenBudget: 5 }],
    ["thread/goal/set", { threadId, tokenBudget: null }],
    ["threadSection/create", { name: "x", appearance: null }],
    ["threadSection/create", { name: "x", appearance: { icon: "star", color: "red" } }],
    ["threadSection/update", { sectionId: "s", name: "x" }],
    ["thread/section/move", { threadId, sectionId: null }],
    ["thread/section/move", { threadId, sectionId: "s", beforeThreadId: threadId }],
    ["project/create", { ...project, metadata: { a: "b" } }],
    ["project/create", { ...project, roots: [] }],
    ["project/list", { sortKey: "position", sortDirection: "desc", limit: 1 }],
    ["project/move", { projectId: "p", beforeProjectId: null }],
    ["project/update", { projectId: "p", name: "x", roots: [] }],
    ["thread/attachment/add", { threadId, attachmentType: "a", identityKey: "k", payload: [] }],
    ["thread/attachment/add", { threadId, attachmentType: "a", identityKey: "k", payload: 0 }],
    ["thread/attachmentOwner/list", { attachmentType: "a", identityKey: "k", archived: true }],
    ["thread/search", { searchTerm: "x", sortDirection: "asc", limit: 5 }],
    ["thread/searchOccurrences", { threadId, searchTerm: "x", cursor: "c", limit: 1 }],
    ["thread/items/read", { threadId, turnId: "t", itemIds: [] }],
    ["usage/read", { by: "model" }],
    ["usage/read", { by: "thread", threadId }],
  ])("%s takes %j", (method, params) => {
    expect(v2Methods[method].check(params)).toEqual(params);
  });
});

describe("refused params of the methods of 2026", () => {
  test.each<[...Row, field: string]>([
    ["thread/queue/add", { threadId, input: text, clientUserMessageId: "m" }, "input"],
    ["thread/queue/add", { threadId, input: [5], clientUserMessageId: "m" }, "input"],
    [
      "thread/queue/add",
      { threadId, input: [{ type: "texts" }], clientUserMessageId: "m" },
      "input",
    ],
    ["thread/queue/add", { threadId, input: [], clientUserMessageId: 5 }, "clientUserMessageId"],
    ["thread/queue/reorder", { threadId, queuedSubmissionIds: "a" }, "queuedSubmissionIds"],
    ["thread/queue/reorder", { threadId, queuedSubmissionIds: [1] }, "queuedSubmissionIds"],
    ["thread/queue/start", { threadId, queuedSubmissionId: 1 }, "queuedSubmissionId"],
    ["thread/queue/list", { threadId, limit: -1 }, "limit"],
    ["thread/queue/list", { threadId, limit: 1.5 }, "limit"],
    ["thread/goal/set", { threadId, status: "done" }, "status"],
    ["thread/goal/set", { threadId, tokenBudget: "5" }, "tokenBudget"],
    ["thread/goal/set", { threadId, objective: ["x"] }, "objective"],
    ["threadSection/create", { name: 5 }, "name"],
    ["threadSection/create", { name: "x", appearance: "star" }, "appearance"],
    ["threadSection/create", { name: "x", appearance: { icon: 5 } }, "appearance"],
    ["thread/section/move", { threadId, sectionId: 5 }, "sectionId"],
    ["project/create", { ...project, roots: ["/a"] }, "roots"],
    ["project/create", { ...project, roots: [{}] }, "roots"],
    ["project/create", { ...project, metadata: "x" }, "metadata"],
    ["project/create", { ...project, metadata: { a: 5 } }, "metadata"],
    ["project/list", { sortKey: "name" }, "sortKey"],
    ["project/list", { sortDirection: "up" }, "sortDirection"],
    ["project/import", { ...project, threads: threadId }, "threads"],
    ["project/import", { ...project, threads: [5] }, "threads"],
    [
      "thread/attachmentOwner/list",
      { attachmentType: "a", identityKey: "k", archived: "no" },
      "archived",
    ],
    ["thread/search", { searchTerm: 5 }, "searchTerm"],
    ["thread/search", { searchTerm: "x", sortKey: "name" }, "sortKey"],
    ["thread/search", { searchTerm: "x", limit: "5" }, "limit"],
    ["thread/searchOccurrences", { threadId, searchTerm: "x", cursor: 5 }, "cursor"],
    ["thread/items/read", { threadId, turnId: "t", itemIds: [5] }, "itemIds"],
    ["usage/read", { by: "week" }, "by"],
    ["usage/read", { by: ["day"] }, "by"],
    ["usage/read", { threadId: 5 }, "threadId"],
  ])("%s refuses %j and names %s", (method, params, field) => {
    expect(() => v2Methods[method].check(params)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        message: expect.stringMatching(new RegExp(`^params\\.${field}\\b`)),
      }),
    );
  });
});
