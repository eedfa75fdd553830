import { describe, expect, test } from "vitest";
import {
  environmentDiffers,
  environmentText,
  surroundingsMessage,
} from "../../../src/engine/opening/environment.js";
import type { SandboxPolicy } from "../../../src/protocol/types.js";
import { contentText } from "../../../src/rollout/index.js";

describe("environmentText", () => {
  test("has one line per fact, and none for what is omitted", () => {
    expect(environmentText({ cwd: "/w", shell: "bash" })).toBe(
      "<environment_context>\n  <cwd>/w</cwd>\n  <shell>bash</shell>\n</environment_context>",
    );
  });

  test.each<[SandboxPolicy, string]>([
    [{ mode: "read-only" }, "restricted"],
    [{ mode: "danger-full-access" }, "enabled"],
    [{ mode: "workspace-write" }, "restricted"],
    [{ mode: "workspace-write", network_access: true }, "enabled"],
  ])("the network of %j is %s", (sandbox_policy, network) => {
    expect(environmentText({ sandbox_policy })).toContain(
      `<sandbox_mode>${sandbox_policy.mode}</sandbox_mode>\n  <network_access>${network}</network_access>`,
    );
  });

  test("writable roots are listed", () => {
    const sandbox_policy = { mode: "workspace-write", writable_roots: ["/a", "/b"] } as const;

    expect(
      environmentText({ sandbox_policy: { ...sandbox_policy, writable_roots: ["/a", "/b"] } }),
    ).toContain(
      "  <writable_roots>\n    <root>/a</root>\n    <root>/b</root>\n  </writable_roots>",
    );
  });
});

test("a change of the shell alone is no difference", () => {
  expect(environmentDiffers({ cwd: "/w", shell: "bash" }, { cwd: "/w", shell: "zsh" })).toBe(false);
  expect(environmentDiffers({ cwd: "/w" }, { cwd: "/x" })).toBe(true);
});

describe("surroundingsMessage", () => {
  const textFor = (sandbox_policy: SandboxPolicy, shell?: string) => {
    const context = { cwd: "/w", sandbox_policy } as never;
    const message = surroundingsMessage({ context, shell }, new Date(2026, 0, 9).getTime());
    return message.type === "message" ? contentText(message.content) : "";
  };

  test("has the local date and the time zone", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

    expect(textFor({ mode: "read-only" }, "zsh")).toContain(
      `  <shell>zsh</shell>\n  <current_date>2026-01-09</current_date>\n  <timezone>${timeZone}</timezone>`,
    );
  });

  test.each<[SandboxPolicy, string]>([
    [{ mode: "danger-full-access" }, 'type="disabled"'],
    [{ mode: "external-sandbox" } as SandboxPolicy, 'type="external"'],
    [{ mode: "read-only" }, '<entry access="read"><special>:root</special></entry></file_system>'],
    [
      { mode: "workspace-write", writable_roots: ["/more"] },
      '<entry access="write"><path>/w</path></entry><entry access="write"><path>/more</path></entry>',
    ],
    [
      { mode: "workspace-write", exclude_tmpdir_env_var: true },
      '<entry access="write"><special>:slash_tmp</special></entry><entry access="read"><path>/w/.git</path></entry>',
    ],
  ])("describes the files of %j", (policy, expected) => {
    expect(textFor(policy)).toContain(expected);
  });
});
