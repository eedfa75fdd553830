import { describe, expect, test } from "vitest";
import { toMarkdown } from "../../../../src/cli/commands/sessions/to-markdown.js";

/** Renders a recorded line. */
function render(type: string, payload: object): string {
  return toMarkdown({ timestamp: "t", type, payload } as never);
}

const item = (payload: object) => render("response_item", payload);

describe("a session as Markdown", () => {
  test("starts with its id", () => {
    expect(
      render("session_meta", { id: "abc", timestamp: "2026-01-01T00:00:00Z", cwd: "/w" }),
    ).toBe("# Session abc\n\nBegan 2026-01-01T00:00:00Z in `/w`.\n\n");
  });

  test.each([
    [
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "hi" }] },
      "## Codex\n\nhi\n\n",
    ],
    [
      { type: "message", role: "user", content: [{ type: "input_text", text: "do it" }] },
      "## User\n\ndo it\n\n",
    ],
    [
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "look" },
          { type: "input_image", image_url: "data:x" },
        ],
      },
      "## User\n\nlook\n\n_(1 pictures)_\n\n",
    ],
    [{ type: "message", role: "developer", content: [{ type: "input_text", text: "x" }] }, ""],
    [{ type: "reasoning", summary: [{ type: "summary_text", text: "a\nb" }] }, "> a\n> b\n\n"],
    [{ type: "reasoning", summary: [] }, ""],
    [
      { type: "function_call", name: "shell", arguments: '{"command":["ls","-a"]}' },
      "```sh\n$ ls -a\n```\n\n",
    ],
    [
      { type: "function_call", name: "shell", arguments: '{"command":["bash","-lc","ls | wc"]}' },
      "```sh\n$ ls | wc\n```\n\n",
    ],
    [
      { type: "function_call", name: "exec_command", arguments: '{"cmd":"make"}' },
      "```sh\n$ make\n```\n\n",
    ],
    [
      { type: "function_call", name: "other", arguments: '{"a":1}' },
      '**other**\n\n```json\n{"a":1}\n```\n\n',
    ],
    [
      { type: "function_call", name: "broken", arguments: "{" },
      "**broken**\n\n```json\n{\n```\n\n",
    ],
    [
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch\n" },
      "**apply_patch**\n\n```\n*** Begin Patch\n```\n\n",
    ],
    [{ type: "function_call_output", output: "plain\n" }, "```\nplain\n```\n\n"],
    [{ type: "function_call_output", output: '{"output":"inner"}' }, "```\ninner\n```\n\n"],
    [{ type: "function_call_output", output: "a ``` b" }, "````\na ``` b\n````\n\n"],
    [
      { type: "function_call_output", output: [{ text: "a" }, { image_url: "x" }] },
      "```\na\n(picture)\n```\n\n",
    ],
    [
      { type: "local_shell_call", action: { type: "exec", command: ["echo", "a b"] } },
      "```sh\n$ echo 'a b'\n```\n\n",
    ],
    [
      { type: "web_search_call", action: { type: "search", query: "q" } },
      "_Searched the web: q_\n\n",
    ],
    [{ type: "web_search_call", action: { type: "open_page", url: "u" } }, ""],
    [{ type: "unknown" }, ""],
  ])("has %j", (payload, text) => {
    expect(item(payload)).toBe(text);
  });

  test.each([
    ["compacted", { message: "x" }, "_The conversation was summarized here._\n\n"],
    [
      "event_msg",
      { type: "thread_rolled_back", num_turns: 2 },
      "_The last 2 turns were taken back._\n\n",
    ],
    ["event_msg", { type: "error", message: "bad" }, "_Error: bad_\n\n"],
    ["event_msg", { type: "token_count" }, ""],
    ["turn_context", {}, ""],
  ])("has the line %s %j", (type, payload, text) => {
    expect(render(type, payload)).toBe(text);
  });
});
