import { describe, expect, test } from "vitest";
import {
  parseEventMsg,
  parseFileChange,
  parseInputItem,
  parseSandboxPolicy,
} from "../../src/protocol/read/index.js";
import type { FileChange, InputItem, SandboxPolicy } from "../../src/protocol/types.js";
import {
  toDataInputItem,
  toKeyedFileChange,
  toModePolicy,
  toOkOrErr,
  toTaggedFileChange,
  toTypePolicy,
  withoutItemId,
} from "../../src/protocol/write.js";

describe("a file change", () => {
  const changes: [FileChange, object][] = [
    [{ type: "add", content: "x" }, { add: { content: "x" } }],
    [{ type: "delete", content: "x" }, { delete: { content: "x" } }],
    [{ type: "update", unified_diff: "d" }, { update: { unified_diff: "d", move_path: null } }],
    [
      { type: "update", unified_diff: "d", move_path: "/b" },
      { update: { unified_diff: "d", move_path: "/b" } },
    ],
  ];

  test.each(changes)("%j is written under the name of its kind and read again", (change, keyed) => {
    expect(toKeyedFileChange(change)).toEqual(keyed);
    expect(parseFileChange(keyed)).toEqual(toTaggedFileChange(change));
  });
});

describe("a sandbox policy", () => {
  const full: SandboxPolicy = {
    mode: "workspace-write",
    writable_roots: ["/a"],
    network_access: true,
    exclude_tmpdir_env_var: true,
    exclude_slash_tmp: true,
  };

  test("is written with type or mode and read the same", () => {
    const { mode, ...fields } = full;

    expect(toTypePolicy(full)).toEqual({ type: mode, ...fields });
    expect(toModePolicy(full)).toEqual(full);
    expect(parseSandboxPolicy(toTypePolicy(full))).toEqual(full);
  });

  test("writes every setting, but no empty list of roots", () => {
    expect(toModePolicy({ mode: "workspace-write" })).toEqual({
      mode: "workspace-write",
      network_access: false,
      exclude_tmpdir_env_var: false,
      exclude_slash_tmp: false,
    });
    expect(toTypePolicy({ mode: "read-only" })).toEqual({ type: "read-only" });
  });
});

test.each<[InputItem, object]>([
  [
    { type: "text", text: "t" },
    { type: "text", data: { text: "t" } },
  ],
  [
    { type: "local_image", path: "/a" },
    { type: "localImage", data: { path: "/a" } },
  ],
])("the input item %j is written with data and read again", (item, written) => {
  expect(toDataInputItem(item)).toEqual(written);
  expect(parseInputItem(written)).toEqual(item);
});

test.each([[{ content: [] }, { Ok: { content: [] } }] as const, ["no", { Err: "no" }] as const])(
  "the MCP result %j is wrapped and read again",
  (result, written) => {
    const copy = structuredClone(result) as Parameters<typeof toOkOrErr>[0];
    const event = {
      type: "mcp_tool_call_end",
      call_id: "c",
      invocation: { server: "s", tool: "t" },
      duration: { secs: 0, nanos: 0 },
    };

    expect(toOkOrErr(copy)).toEqual(written);
    expect(parseEventMsg({ ...event, result: toOkOrErr(copy) })).toEqual({ ...event, result });
  },
);

test("the id the model gave an item is not written", () => {
  expect(withoutItemId({ type: "web_search_call", id: "w", status: "completed" })).toEqual({
    type: "web_search_call",
    status: "completed",
  });
  expect(withoutItemId({ type: "function_call_output", call_id: "c", output: "ok" })).toEqual({
    type: "function_call_output",
    call_id: "c",
    output: "ok",
  });
});
