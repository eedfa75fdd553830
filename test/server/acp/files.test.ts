import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AcpOptions, startEditor } from "../../support/acp.js";
import { says } from "../../support/model.js";

const capabilities = { fs: { readTextFile: true, writeTextFile: true } };

/** An editor with unsaved text of some files; it saves what is written. */
function editorWith(unsaved: Record<string, string>) {
  const asked: string[] = [];
  const answer: AcpOptions["answer"] = async (method, params) => {
    const { path, content } = params as { path: string; content: string };
    const name = path.split("/").at(-1) ?? "";
    asked.push(`${method} ${name}`);
    if (method === "fs/read_text_file") {
      return { content: unsaved[name] ?? (await readFile(path, "utf8")) };
    }
    unsaved[name] = content;
    await writeFile(path, content);
    return {};
  };
  return { asked, answer };
}

function patching(...sections: string[]): AcpOptions {
  const patch = ["*** Begin Patch", ...sections, "*** End Patch"].join("\n");
  return {
    capabilities,
    // In a sandbox the editor does not write while a command may run, as in other tests of this process.
    config: { model: "gpt-5.5", sandbox_mode: "danger-full-access", approval_policy: "never" },
    model: [[{ apply_patch: patch }], says("Done.")],
  };
}

const update = ["*** Update File: a.txt", "@@", "-typed", "+patched"];

test("a patch is applied to the unsaved text, and written by the editor", async () => {
  const { asked, answer } = editorWith({ "a.txt": "one\ntyped\n" });
  await using editor = await startEditor({ ...patching(...update), answer });
  const path = join(editor.workspace, "a.txt");
  await writeFile(path, "one\n");
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(await readFile(path, "utf8")).toBe("one\npatched\n");
  expect(asked).toContain("fs/write_text_file a.txt");
  const call = await editor.until("tool_call", ({ kind }) => kind === "edit");
  expect(call.content).toMatchObject([{ oldText: "one\ntyped\n", newText: "one\npatched\n" }]);
  expect(editor.problems).toEqual([]);
});

test("a file that changes in the editor while the user decides is not overwritten", async () => {
  const unsaved: Record<string, string> = { "a.txt": "typed\n" };
  const { answer } = editorWith(unsaved);
  await using editor = await startEditor({
    ...patching(...update),
    config: { model: "gpt-5.5", sandbox_mode: "danger-full-access", approval_policy: "untrusted" },
    answer,
    permit() {
      unsaved["a.txt"] = "typed\nmore\n";
      return "accept";
    },
  });
  await writeFile(join(editor.workspace, "a.txt"), "old\n");
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(unsaved["a.txt"]).toBe("typed\nmore\n");
  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).toContain("it changed after");
});

test("a file that the editor cannot open is read from and written to the disk", async () => {
  await using editor = await startEditor({
    ...patching(...update),
    answer() {
      throw new Error("not in the project");
    },
  });
  const path = join(editor.workspace, "a.txt");
  await writeFile(path, "typed\n");
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(await readFile(path, "utf8")).toBe("patched\n");
});

test("line endings of Windows are no unsaved text", async () => {
  const { answer } = editorWith({ "a.txt": "one\ntyped\n" });
  await using editor = await startEditor({
    ...patching(...update),
    capabilities: { fs: { readTextFile: true } },
    answer,
  });
  const path = join(editor.workspace, "a.txt");
  await writeFile(path, "one\r\ntyped\r\n");
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(await readFile(path, "utf8")).toBe("one\r\npatched\r\n");
});

test("the editor is not asked for files outside of the workspace, nor behind links to them", async () => {
  const { asked, answer } = editorWith({});
  await using editor = await startEditor({
    ...patching("*** Add File: out/b.txt", "+new", "*** Add File: ../c.txt", "+new"),
    config: {
      model: "gpt-5.5",
      sandbox_mode: "workspace-write",
      sandbox_workspace_write: { exclude_slash_tmp: true, exclude_tmpdir_env_var: true },
      approval_policy: "never",
    },
    answer,
  });
  const outside = join(editor.workspace, "../outside");
  await mkdir(outside);
  await symlink(outside, join(editor.workspace, "out"));
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(asked).toEqual([]);
  expect(existsSync(join(outside, "b.txt"))).toBe(false);
  expect(existsSync(join(editor.workspace, "../c.txt"))).toBe(false);
});

test("the editor is not asked for a file that a permission profile denies", async () => {
  const { asked, answer } = editorWith({ "secret.env": "typed\n" });
  await using editor = await startEditor({
    ...patching("*** Update File: secret.env", "@@", "-typed", "+patched"),
    config: {
      model: "gpt-5.5",
      approval_policy: "never",
      default_permissions: "guarded",
      permissions: {
        guarded: {
          extends: ":workspace",
          filesystem: { ":workspace_roots": { "**/*.env": "deny" } },
        },
      },
    },
    answer,
  });
  const path = join(editor.workspace, "secret.env");
  await writeFile(path, "typed\n");
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(asked).toEqual([]);
  expect(await readFile(path, "utf8")).toBe("typed\n");
  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).toContain("Permission denied");
});
