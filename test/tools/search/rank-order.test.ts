import { describe, expect, test } from "vitest";
import type { FunctionToolSpec } from "../../../src/protocol/types.js";
import { rankTools } from "../../../src/tools/search/rank-tools.js";
import type { DeferrableSpec } from "../../../src/tools/tool-box.js";

function tool(name: string, description = "", parameters: unknown = {}): FunctionToolSpec {
  return { type: "function", name, description, strict: false, parameters } as FunctionToolSpec;
}

function group(name: string, ...tools: FunctionToolSpec[]): DeferrableSpec {
  return { type: "namespace", name, description: "", tools };
}

/** Returns the names in their order; those of a namespace as `space/name`. */
function search(specs: readonly DeferrableSpec[], query: string, limit = 9): string[] {
  return rankTools(specs, query, limit).flatMap((spec) =>
    spec.type === "namespace"
      ? spec.tools.map(({ name }) => `${spec.name}/${name}`)
      : [(spec as FunctionToolSpec).name],
  );
}

describe("the order of found tools", () => {
  test.each<[string, FunctionToolSpec[], string, string[]]>([
    [
      "a word that occurs twice comes first",
      [tool("a", "mail one two"), tool("b", "mail mail one")],
      "mail",
      ["b", "a"],
    ],
    [
      "a shorter description comes first",
      [tool("a", "mail and many more words about it"), tool("b", "mail")],
      "mail",
      ["b", "a"],
    ],
    [
      "two words of the query count more than one",
      [tool("a", "send x"), tool("b", "send mail"), tool("c", "mail y")],
      "send mail",
      ["b", "a", "c"],
    ],
    [
      "a rare word counts more than a frequent one",
      [tool("a", "read file"), tool("b", "write file"), tool("c", "copy file"), tool("d", "zip x")],
      "file zip",
      ["d", "a", "b", "c"],
    ],
    [
      "equal ones stay in their order",
      [tool("c", "mail"), tool("a", "mail"), tool("b", "mail")],
      "mail",
      ["c", "a", "b"],
    ],
    [
      "repeated words of the query count once",
      [tool("a", "mail x"), tool("b", "post post x")],
      "mail mail mail post",
      ["b", "a"],
    ],
  ])("%s", (_, tools, query, expected) => {
    expect(search(tools, query)).toEqual(expected);
  });
});

describe("words", () => {
  test.each([
    ["getUserName", "user"],
    ["get_user_names", "name"],
    ["get-user", "USER"],
    ["getUser", "users"],
    ["größe_messen", "Größe"],
    ["日本", "日本"],
    ["v2_api", "v2"],
    ["list", "  list, please!"],
  ])("the tool %s is found by %j", (name, query) => {
    expect(search([tool(name), tool("other", "thing")], query)).toEqual([name]);
  });

  test.each([
    ["getUser", "use"],
    ["bus", "bu"],
    ["mail", "m"],
    ["mail", "e-mails?"],
    ["mail", ".*"],
    ["mail", ""],
  ])("the tool %s is not found by %j", (name, query) => {
    const found = search([tool(name)], query);

    expect(found).toEqual(query === "e-mails?" ? [name] : []);
  });

  test.each([
    [{ properties: { recipient: {} } }, true],
    [{ properties: { other: { properties: { recipient: {} } } } }, false],
    [{ properties: ["recipient"] }, false],
    [{ required: ["recipient"] }, false],
    [{ description: "recipient" }, false],
    [null, false],
    [true, false],
  ])("parameters %j are found by name: %s", (parameters, isFound) => {
    expect(search([tool("a", "", parameters)], "recipient").length > 0).toBe(isFound);
  });
});

describe("namespaces", () => {
  const specs = [
    group("mcp__post", tool("send", "a mail"), tool("stamp", "a letter")),
    tool("alone", "mail mail"),
    group("mcp__web", tool("fetch", "a page"), tool("mail", "a page")),
  ];

  test("their name is a word of each of their tools", () => {
    expect(search(specs, "post").sort()).toEqual(["mcp__post/send", "mcp__post/stamp"]);
  });

  test("only the found tools are in them, in the order of the best", () => {
    expect(search(specs, "mail")[0]).toBe("alone");
    expect(search(specs, "mail").sort()).toEqual(["alone", "mcp__post/send", "mcp__web/mail"]);
  });

  test("a limit counts tools, not namespaces", () => {
    expect(search(specs, "a", 2)).toHaveLength(2);
    expect(search(specs, "a", 3)).toHaveLength(3);
    expect(search(specs, "a", 99)).toHaveLength(4);
  });

  test("found tools are marked, and the given ones are not changed", () => {
    const before = JSON.stringify(specs);
    const found = JSON.stringify(rankTools(specs, "mail", 9));

    expect(found.match(/"defer_loading":true/g)).toHaveLength(3);
    expect(JSON.stringify(specs)).toBe(before);
  });

  test("no tools are no results", () => {
    expect(rankTools([], "mail", 9)).toEqual([]);
    expect(rankTools([group("empty")], "empty", 9)).toEqual([]);
  });
});
