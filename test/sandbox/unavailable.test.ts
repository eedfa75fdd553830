import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CodexError } from "../../src/protocol/error.js";
import { detectBubblewrap } from "../../src/sandbox/detect.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { explainBubblewrapFailure } from "../../src/sandbox/unavailable.js";

const files =
  (content: Record<string, string>) =>
  (path: string): string | undefined =>
    content[path];

test.each([
  [
    "bwrap: setting up uid map: Permission denied",
    { "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1" },
    "blocked by AppArmor (bwrap: setting up uid map: Permission denied)",
    "AppArmor profile",
  ],
  [
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow it",
    { "/proc/sys/kernel/unprivileged_userns_clone": "0" },
    "switched off",
    "kernel.unprivileged_userns_clone=1",
  ],
  [
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    {},
    "refused, as containers often do",
    "seccomp profile",
  ],
  ["bwrap: Creating new namespace failed: No space left on device", {}, "limit", "sysctl"],
  ["bwrap: Unknown option --perms", {}, "too old", "0.5"],
  ["what", { "/proc/version": "Linux version 4.4.0-19041-Microsoft" }, "WSL 1", "WSL 2"],
  ["bwrap: something new", {}, "(bwrap: something new)", "terminal"],
])("%s is explained", (stderr, content, cause, remedy) => {
  const explained = explainBubblewrapFailure(`${stderr}\n`, files(content));

  expect(explained.cause).toContain(cause);
  expect(explained.remedy).toContain(remedy);
});

test("a refused namespace reports that there is no weaker fallback", () => {
  const { cause } = explainBubblewrapFailure(
    "bwrap: setting up uid map: Permission denied",
    files({}),
  );

  expect(cause).toContain("there is no weaker fallback such as Landlock");
});

test.each([
  ["win32", "x64", "No sandbox available: there is none for Windows yet. Run inside WSL 2, or"],
  ["freebsd", "x64", "No sandbox available: there is none for freebsd. Use Linux or macOS, or"],
  ["linux", "mips", "No sandbox available: the mips architecture is not known. Use an x64 or"],
] as const)(
  "on %s %s nothing runs confined, and nothing runs unconfined in its place",
  async (platform, arch, message) => {
    const sandbox = createSandbox({ platform, arch, env: {}, stateDir: "/nonexistent" });
    const command = { argv: ["true"], cwd: "/", env: {} };

    const refused = await sandbox.prepare({ ...command, policy: { mode: "read-only" } });
    const open = await sandbox.prepare({ ...command, policy: { mode: "danger-full-access" } });

    expect(refused).toBeInstanceOf(CodexError);
    expect(refused).toMatchObject({ code: "sandbox_unavailable" });
    expect((refused as CodexError).message).toContain(message);
    expect(open).toMatchObject({ sandbox: "none", file: "true", args: [] });
  },
);

test("a missing bubblewrap is reported as missing", async () => {
  const found = await detect(["/nonexistent/bwrap"]);

  expect(found).toMatchObject({
    message:
      "No sandbox available: bubblewrap is not installed. Install it (apt install bubblewrap, dnf install bubblewrap), or start with --sandbox danger-full-access if this machine is already isolated.",
  });
});

test.runIf(process.platform === "linux")(
  "a bubblewrap that others can change is not used",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "quire-bwrap-"));
    const path = join(directory, "bwrap");
    copyFileSync("/bin/true", path);
    chmodSync(path, 0o777);

    const found = await detect([path]);

    rmSync(directory, { recursive: true });
    expect(found).toMatchObject({
      message: expect.stringContaining(`${path} can be changed by others than root`),
    });
  },
);

test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "a bubblewrap that does not answer in time is given up",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "quire-bwrap-"));
    const path = join(directory, "bwrap");
    writeFileSync(path, "#!/bin/sh\nexec sleep 10\n", { mode: 0o755 });
    const began = performance.now();

    const found = await detect([path]);

    rmSync(directory, { recursive: true });
    expect(found).toMatchObject({
      message: expect.stringContaining("gave no answer within 1200 ms"),
    });
    expect(performance.now() - began).toBeLessThan(5_000);
  },
);

function detect(places: string[]) {
  return detectBubblewrap({
    places,
    filter: Buffer.alloc(0),
    timeoutMs: 300,
    dataDirectories: ["/dev/shm", tmpdir()],
  });
}
