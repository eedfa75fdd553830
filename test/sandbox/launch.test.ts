import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConfined, startConfined } from "./support/confined.js";

describeConfined("starting a command", (confined) => {
  test("words that look like options are passed on as they are", async () => {
    const scene = confined().scene();
    const words = [
      "--full-auto",
      "-c",
      'sandbox_mode="danger-full-access"',
      "--bind",
      "/",
      "/",
      "--",
    ];

    const result = await confined().run(scene, ["/bin/echo", ...words, "MARK"], { readOnly: true });

    expect(result.stdout).toBe(`${words.join(" ")} MARK\n`);
  });

  test("the command gets exactly the given environment, including loader variables", async () => {
    const scene = confined().scene();

    const env = { LD_LIBRARY_PATH: scene.ws, ODD: "two\nlines = $(id)" };

    const result = await confined().run(scene, ["env", "-0"], { env });

    expect(result.stdout.split("\0").sort()).toEqual([
      "",
      `HOME=${scene.base}/home`,
      `LD_LIBRARY_PATH=${scene.ws}`,
      "ODD=two\nlines = $(id)",
      "PATH=/usr/local/bin:/usr/bin:/bin",
      `PWD=${scene.ws}`,
    ]);
  });

  test("the command gets no descriptor but the three it needs", async () => {
    const scene = confined().scene();
    const secret = join(scene.base, "secret");
    writeFileSync(secret, "hush-hush");
    const descriptor = openSync(secret, "r");
    const gaps = (count: number) => Array.from({ length: count }, () => "ignore" as const);
    const leaky = await startConfined(confined().identity, {
      descriptors: [...gaps(6), descriptor, ...gaps(30), descriptor],
    });

    const result = await leaky.sh(
      scene,
      "cat /proc/self/fd/9 /proc/self/fd/40 2>/dev/null; ls -l /proc/self/fd | grep -c secret",
    );

    leaky.process.kill("SIGKILL");
    closeSync(descriptor);
    expect(result.stdout).toBe("0\n");
  });

  test("a program that is not there did not start; it did not fail", async () => {
    const scene = confined().scene();

    const result = await confined().run(scene, ["no-such-program-xyz", "a"]);

    expect(result).toMatchObject({
      exitCode: -1,
      stderr: "No such file or directory (os error 2)",
      failure: { kind: "start", errno: 2, errorKind: "NotFound" },
    });
    expect(readdirSync(scene.ws)).toEqual([]);
  });

  test("a directory to start in that is not there is such a failure too", async () => {
    const scene = confined().scene();

    const result = await confined().run(scene, ["ls"], { workdir: join(scene.ws, "nope") });

    expect(result).toMatchObject({
      exitCode: -1,
      stderr: "No such file or directory (os error 2)",
    });
    expect(readdirSync(scene.ws)).toEqual([]);
  });

  test("a command without words is refused", async () => {
    const scene = confined().scene();

    const result = await confined().run(scene, []);

    expect(result).toMatchObject({ exitCode: -1, stderr: "command args are empty" });
    expect(readdirSync(scene.ws)).toEqual([]);
  });

  test("a variable that could not be passed on whole is refused", async () => {
    const scene = confined().scene();

    const reply = await confined().ask(scene, ["true"], { env: { A: "x\0--bind\0/\0/" } });

    expect(reply).toMatchObject({ error: expect.stringContaining("contains a NUL character") });
  });

  test("200 MB of output pass by in bounded memory", async () => {
    const scene = confined().scene();
    const fresh = await startConfined(confined().identity);

    const reply = await fresh.ask(scene, ["/bin/sh", "-c", "yes | head -c 200000000"], {
      readOnly: true,
    });

    fresh.process.kill("SIGKILL");
    if ("error" in reply) throw new Error(reply.error);
    expect(reply.result.exitCode).toBe(0);
    expect(reply.result.stdout).toContain("\n[... 191611392 bytes omitted ...]\n");
    expect(reply.peakMemory).toBeLessThan(400_000);
  });

  test("without user namespaces no command starts, and the error has the reason and a remedy", async () => {
    const scene = confined().scene();
    const caged = await startConfined(confined().identity, {
      argv: ["/usr/bin/bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"],
    });

    const reply = await caged.ask(scene, ["touch", "in", "../outside/out"]);

    caged.process.kill("SIGKILL");
    expect(reply).toEqual({
      id: 1,
      error:
        "No sandbox available: the limit of user namespaces is reached or zero (bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)). Raise it with sysctl user.max_user_namespaces, or start with --sandbox danger-full-access if this machine is already isolated.",
    });
    expect([readdirSync(scene.ws), readdirSync(scene.outside)]).toEqual([[], ["victim.txt"]]);
  });

  test("if no new /proc can be mounted, the host's is visible without secrets", async () => {
    const scene = confined().scene();
    const caged = await startConfined(confined().identity, {
      argv: [
        ...["/usr/bin/bwrap", "--unshare-user", "--unshare-pid", "--dev-bind", "/", "/"],
        ...[
          "--proc",
          "/proc",
          "--tmpfs",
          "/proc/driver",
          "--setenv",
          "MY_TOKEN",
          "hush-hush",
          "--",
        ],
      ],
    });

    const reply = await caged.ask(scene, [
      "/bin/sh",
      "-c",
      `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep hush-hush
       echo x > /proc/sys/kernel/core_pattern || echo 1; echo x > ../outside/victim.txt || echo 2
       touch ok; cat /proc/self/comm`,
    ]);

    caged.process.kill("SIGKILL");
    expect(reply).toMatchObject({
      result: { stdout: "1\n2\ncat\n" },
      warnings: [
        "Commands see the names of processes outside of the sandbox: no new /proc can be mounted here.",
      ],
    });
    expect(readFileSync(scene.victim, "utf8")).toBe("untouched\n");
    expect(readdirSync(scene.ws)).toEqual(["ok"]);
  });
});
