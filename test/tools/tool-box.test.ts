import { describe, expect, test, vi } from "vitest";
import { withDynamicTools } from "../../src/tools/dynamic.js";
import { withMcpTools } from "../../src/tools/mcp.js";
import { failed, ok, type Tool, type ToolContext } from "../../src/tools/tool.js";
import { createToolBox } from "../../src/tools/tool-box.js";

function tool(name: string, type: "function" | "custom" = "function"): Tool {
  return { spec: { type, name } as never, run: async () => ok(name) };
}

const turn = {} as never;
const namesOf = (specs: readonly object[]) =>
  specs.map((spec) => ("name" in spec ? spec.name : undefined));

describe("createToolBox", () => {
  test("offers tools in their order, if their condition holds", () => {
    const box = createToolBox([
      { tool: tool("a") },
      { tool: tool("b"), offeredIn: () => false },
      { tool: tool("c"), offeredIn: () => true },
    ]);

    expect(namesOf(box.offered(turn))).toEqual(["a", "c"]);
  });

  test("finds tools by name or alias, offered or not", () => {
    const shell = tool("shell");
    const hidden = tool("hidden");
    const box = createToolBox([
      { tool: shell, aliases: ["container.exec"] },
      { tool: hidden, offeredIn: () => false },
    ]);

    expect(box.find("function", "container.exec")).toBe(shell);
    expect(box.find("function", "hidden")).toBe(hidden);
    expect(box.find("function", "missing")).toBeUndefined();
  });

  test("a function and a custom tool may share a name; the first of a kind wins", () => {
    const [asFunction, asCustom, second] = [tool("x"), tool("x", "custom"), tool("x")];
    const box = createToolBox([{ tool: asFunction }, { tool: asCustom }, { tool: second }]);

    expect(box.find("function", "x")).toBe(asFunction);
    expect(box.find("custom", "x")).toBe(asCustom);
  });

  test("a tool built into models is found by its type", () => {
    const search: Tool = { spec: { type: "web_search" }, run: async () => failed("built in") };

    expect(createToolBox([{ tool: search }]).find("web_search", "web_search")).toBe(search);
  });

  test("closing the box closes what its tools left", async () => {
    const close = vi.fn(async () => {});

    await createToolBox([], close).close();

    expect(close).toHaveBeenCalledOnce();
  });
});

describe("withMcpTools", () => {
  const remote = tool("mcp__files__read");
  const resource = tool("list_mcp_resources");
  const parts = (isUsed = true) => ({
    tools: {
      offered: () => [remote.spec as never],
      find: (name: string) => (name === "mcp__files__read" ? remote : undefined),
    },
    resources: [resource],
    isUsed: () => isUsed,
  });

  test("adds the resource tools and the servers' tools behind the others", () => {
    const box = withMcpTools(createToolBox([{ tool: tool("shell") }]), () => parts());

    expect(namesOf(box.offered(turn))).toEqual(["shell", "list_mcp_resources", "mcp__files__read"]);
    expect(box.find("function", "list_mcp_resources")).toBe(resource);
    expect(box.find("function", "mcp__files__read")).toBe(remote);
  });

  test("offers servers that are added while the session runs", () => {
    let current: ReturnType<typeof parts> | undefined;
    const box = withMcpTools(createToolBox([]), () => current);
    expect(box.offered(turn)).toEqual([]);
    expect(box.find("function", "mcp__files__read")).toBeUndefined();

    current = parts();

    expect(namesOf(box.offered(turn))).toEqual(["list_mcp_resources", "mcp__files__read"]);
  });

  test("offers nothing while there are no servers", () => {
    const box = withMcpTools(createToolBox([]), () => parts(false));

    expect(box.offered(turn)).toEqual([]);
  });

  test("a tool of the box wins, and a custom tool is never a server's", () => {
    const own = tool("mcp__files__read");
    const box = withMcpTools(createToolBox([{ tool: own }]), () => parts());

    expect(box.find("function", "mcp__files__read")).toBe(own);
    expect(
      withMcpTools(createToolBox([]), () => parts()).find("custom", "mcp__files__read"),
    ).toBeUndefined();
  });
});

describe("withDynamicTools", () => {
  const lookup = { name: "lookup", description: "Looks up.", inputSchema: { type: "object" } };
  const find = { ...lookup, name: "find", namespace: "crm", namespaceDescription: "The CRM." };
  const list = { ...lookup, name: "list", namespace: "crm" };

  function context(answer: unknown = { contentItems: [], success: true }) {
    const asked: unknown[] = [];
    const emitted: unknown[] = [];
    const given = {
      callId: "c1",
      turnId: "t1",
      emit: (msg: unknown) => emitted.push(msg),
      async askDynamicTool(call: unknown) {
        asked.push(call);
        return answer;
      },
    } as unknown as ToolContext;
    return { given, asked, emitted };
  }

  test("groups tools by namespace", () => {
    const box = withDynamicTools(createToolBox([]), [lookup, find, list]);

    expect(box.offered(turn)).toMatchObject([
      { type: "function", name: "lookup" },
      {
        type: "namespace",
        name: "crm",
        description: "The CRM.",
        tools: [{ name: "find" }, { name: "list" }],
      },
    ]);
  });

  test("finds a tool only in its namespace", () => {
    const box = withDynamicTools(createToolBox([]), [lookup, find]);

    expect(box.find("function", "find", "crm")).toBeDefined();
    expect(box.find("function", "find")).toBeUndefined();
    expect(box.find("function", "lookup", null)).toBeDefined();
    expect(box.find("custom", "lookup")).toBeUndefined();
  });

  test("without tools the box stays the same", () => {
    const box = createToolBox([]);

    expect(withDynamicTools(box, [])).toBe(box);
  });

  test("a call asks the client and returns its answer with pictures", async () => {
    const { given, asked, emitted } = context({
      success: true,
      contentItems: [
        { type: "inputText", text: "one" },
        { type: "inputImage", imageUrl: "data:x" },
        { type: "inputText", text: "two" },
      ],
    });
    const found = withDynamicTools(createToolBox([]), [find]).find("function", "find", "crm");

    expect(await found?.run({ text: '{"id":7}' }, given)).toEqual({
      text: "one\ntwo",
      success: true,
      parts: [
        { type: "input_text", text: "one" },
        { type: "input_image", image_url: "data:x" },
        { type: "input_text", text: "two" },
      ],
    });
    const call = {
      callId: "c1",
      turnId: "t1",
      tool: "find",
      namespace: "crm",
      arguments: { id: 7 },
    };
    expect(asked).toEqual([call]);
    expect(emitted).toMatchObject([{ type: "dynamic_tool_call_response", ...call, success: true }]);
  });

  test("no arguments are an empty object, and broken ones are not sent to the client", async () => {
    const { given, asked } = context();
    const found = withDynamicTools(createToolBox([]), [lookup]).find("function", "lookup");

    await found?.run({ text: " " }, given);
    expect(asked).toMatchObject([{ arguments: {} }]);
    expect(await found?.run({ text: "{" }, given)).toMatchObject({ success: false });
    expect(asked).toHaveLength(1);
  });
});
