import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { fileShape } from "../../../src/config/check/shape.generated.js";
import type { Table } from "../../../src/config/toml/table.js";
import { TomlEditor } from "../../../src/config/write/editor.js";

function edited(text: string, change: (editor: TomlEditor) => void): string {
  const editor = new TomlEditor(text, (source) => parse(source) as Table, fileShape);
  change(editor);
  return editor.text;
}

describe("a value that is there", () => {
  test("is replaced, and the comment on its line stays", () => {
    const text = 'model = "a" # the usual one\nprofile = "p"\n';

    expect(edited(text, (editor) => editor.set(["model"], "b"))).toBe(
      'model = "b" # the usual one\nprofile = "p"\n',
    );
  });

  test("is replaced when it takes several lines", () => {
    const text = 'notify = [ # argv\n  "a",\n  "]",\n] # end\nmodel = """\nx = 1\n"""\n';

    const result = edited(text, (editor) => {
      editor.set(["notify"], ["b"]);
      editor.set(["model"], "m");
    });

    expect(result).toBe('notify = ["b"] # end\nmodel = "m"\n');
  });

  test("stays as it was written when it does not change", () => {
    const text = "project_doc_max_bytes = 0x10\n";

    expect(edited(text, (editor) => editor.set(["project_doc_max_bytes"], 16))).toBe(text);
  });

  test("is taken away with its line alone", () => {
    const text = '# about the model\nmodel = "a" # x\n\n# about reviews\nreview_model = "b"\n';

    expect(edited(text, (editor) => editor.remove(["model"]))).toBe(
      '# about the model\n\n# about reviews\nreview_model = "b"\n',
    );
  });
});

describe("a new value", () => {
  test("is inserted after the last key of its table, above the comments of the next", () => {
    const text = 'profile = "p"\n\n# the profile\n[profiles.p]\n  model = "a"\n\n# end\n';

    const result = edited(text, (editor) => {
      editor.set(["model"], "m");
      editor.set(["profiles", "p", "model_verbosity"], "low");
    });

    expect(result).toBe(
      'profile = "p"\nmodel = "m"\n\n# the profile\n[profiles.p]\n  model = "a"\n  model_verbosity = "low"\n\n# end\n',
    );
  });

  test("is inserted above all tables and below a comment of the file", () => {
    const text = "# my settings\n\n# the screen\n[tui]\nanimations = false\n";

    expect(edited(text, (editor) => editor.set(["model"], "m"))).toBe(
      '# my settings\n\nmodel = "m"\n\n# the screen\n[tui]\nanimations = false\n',
    );
  });

  test("makes a table behind its relatives, or at the end", () => {
    const text = "[profiles.a]\nmodel = 'x'\n[tui]\nanimations = false";

    const result = edited(text, (editor) => {
      editor.set(["profiles", "b.c d", "model"], "y");
      editor.set(["tools", "web_search"], true);
    });

    expect(result).toBe(
      '[profiles.a]\nmodel = \'x\'\n\n[profiles."b.c d"]\nmodel = "y"\n\n[tui]\nanimations = false\n\n[tools]\nweb_search = true\n',
    );
  });

  test("joins the dotted keys that make its table", () => {
    const text = '[profiles]\np.model = "a"\nq.model = "b"\n';

    expect(edited(text, (editor) => editor.set(["profiles", "p", "model_verbosity"], "low"))).toBe(
      '[profiles]\np.model = "a"\np.model_verbosity = "low"\nq.model = "b"\n',
    );
  });

  test("keeps the line ends and the mark of a file from another system", () => {
    const text = '\ufeffmodel = "a"\r\n\r\n[tui]\r\nanimations = false\r\n';

    const result = edited(text, (editor) => {
      editor.set(["profile"], "p");
      editor.set(["tools", "view_image"], true);
    });

    expect(result).toBe(
      '\ufeffmodel = "a"\r\nprofile = "p"\r\n\r\n[tui]\r\nanimations = false\r\n\r\n[tools]\r\nview_image = true\r\n',
    );
  });
});

describe("a table on one line", () => {
  test("becomes tables of its own when one of its keys changes, and its comment comes along", () => {
    const text =
      'profile = "fast"\nprofiles = { fast = { model = "a", x = 1 } } # mine\nmodel = "m"';

    expect(edited(text, (editor) => editor.set(["profiles", "fast", "model"], "b"))).toBe(
      'profile = "fast"\nmodel = "m"\n\n[profiles]\n# mine\n\n[profiles.fast]\nmodel = "b"\nx = 1\n',
    );
  });

  test("is left alone when another one changes", () => {
    const text =
      "[projects]\n'/a' = { trust_level = \"trusted\" } # a\n'/b' = { trust_level = \"trusted\" } # b\n";

    expect(edited(text, (editor) => editor.remove(["projects", "/b"]))).toBe(
      "[projects]\n'/a' = { trust_level = \"trusted\" } # a\n",
    );
  });
});

describe("a table", () => {
  test("goes with its inner tables and the blank lines around them", () => {
    const text =
      "model = 'a'\n\n[mcp_servers.x]\ncommand = 'x'\n\n[mcp_servers.x.env]\nA = '1'\n\n[tui]\nanimations = true\n";

    expect(edited(text, (editor) => editor.remove(["mcp_servers", "x"]))).toBe(
      "model = 'a'\n\n[tui]\nanimations = true\n",
    );
  });

  test("is replaced key by key, so that what stays keeps its comments", () => {
    const text =
      '[mcp_servers.x]\n# how\ncommand = "x" # it\nargs = ["a"]\n\n[mcp_servers.x.env]\nB = "2"\n';
    const server = { command: "x", startup_timeout_sec: 2, env: { A: "1" } };

    expect(edited(text, (editor) => editor.set(["mcp_servers", "x"], server))).toBe(
      '[mcp_servers.x]\n# how\ncommand = "x" # it\nstartup_timeout_sec = 2.0\n\n[mcp_servers.x.env]\nA = "1"\n',
    );
  });

  test("gives way to a value, and a value to a table", () => {
    const text = '[tui]\nanimations = true\n\n[[skills.config]]\npath = "a"\n';

    const result = edited(text, (editor) => {
      editor.set(["tui"], "none");
      editor.set(["skills", "config"], [{ path: "b", enabled: false }]);
      editor.set(["tui", "theme"], "dark");
    });

    expect(result).toBe(
      '[skills]\nconfig = [{ path = "b", enabled = false }]\n\n[tui]\ntheme = "dark"\n',
    );
  });
});

test("nothing can be set inside a list of tables", () => {
  const text = '[[skills.config]]\npath = "a"\n';

  expect(() => edited(text, (editor) => editor.set(["skills", "config", "path"], "b"))).toThrow(
    "skills.config.path cannot be set: skills.config is a list of tables",
  );
});
