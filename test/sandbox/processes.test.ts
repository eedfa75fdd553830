import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConfined, type Scene, startConfined } from "./support/confined.js";
import { type Entry, writeCallProgram } from "./support/program.js";

const EPERM = 1;
const ENOSYS = 38;
const onX64 = test.runIf(process.arch === "x64");

describeConfined("processes", (confined) => {
  test("the command cannot gain rights, and has none", async () => {
    const scene = confined().scene();

    const { stdout } = await confined().sh(
      scene,
      "grep -E '^(CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):' /proc/self/status",
      { readOnly: true },
    );

    expect(stdout.replaceAll("\t", " ")).toBe(
      `CapInh: 0000000000000000
CapPrm: 0000000000000000
CapEff: 0000000000000000
CapBnd: 0000000000000000
CapAmb: 0000000000000000
NoNewPrivs: 1
Seccomp: 2
`,
    );
  });

  test("programs that raise rights raise none", async () => {
    const scene = confined().scene();

    const { stdout } = await confined().sh(
      scene,
      `before=$(id -u)
       for program in 'su -c id' 'newgrp root' 'sudo -n id' 'mount -t tmpfs none /mnt'; do
         $program </dev/null >/dev/null 2>&1 && echo "$program worked"
       done; [ "$(id -u)" = "$before" ] && echo same`,
    );

    expect(stdout.replace("su -c id worked\n", "")).toBe("same\n");
  });

  test("processes outside are neither seen nor reached", async () => {
    const scene = confined().scene();
    const outsider = spawn("sleep", ["60"], {
      env: { PATH: "/usr/bin:/bin", SECRET_TOKEN: "hush-hush" },
      ...sameUser(),
    });

    const { stdout } = await confined().sh(
      scene,
      `kill -9 ${outsider.pid} 2>/dev/null && echo killed
       cat /proc/${outsider.pid}/environ 2>/dev/null
       cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep hush-hush
       ls -d /proc/[0-9]* | wc -l | { read count; [ "$count" -lt 20 ] && echo alone; }`,
    );

    expect(stdout).toBe("alone\n");
    expect(outsider.exitCode).toBe(null);
    outsider.kill("SIGKILL");
  });

  test("no process of a command outlives it, not even one that left its session", async () => {
    const scene = confined().scene();

    const result = await confined().sh(
      scene,
      "(setsid sh -c 'while :; do touch tick; sleep 0.02; done' >/dev/null 2>&1 &); until [ -e tick ]; do :; done",
    );

    expect(result.exitCode).toBe(0);
    await expectSilence(join(scene.ws, "tick"));
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "when the agent is ended by %s, its commands are gone within a second",
    async (signal) => {
      const scene = confined().scene();
      const agent = await startConfined(confined().identity);
      void agent.sh(
        scene,
        "setsid sh -c 'trap \"\" TERM HUP; while :; do touch tick; sleep 0.02; done' & trap '' TERM; while :; do sleep 1; done",
      );
      await until(() => existsSync(join(scene.ws, "tick")));

      agent.process.kill(signal);

      await expectSilence(join(scene.ws, "tick"));
    },
  );

  test("a time-out kills all processes at once, even those that ignore signals", async () => {
    const scene = confined().scene();
    const began = performance.now();

    const result = await confined().sh(
      scene,
      "trap '' TERM INT HUP; echo begun; setsid sh -c 'trap \"\" TERM; while :; do touch tick; sleep 0.02; done' & while :; do sleep 1; done",
      { timeoutMs: 400 },
    );

    expect(result).toMatchObject({ exitCode: 124, timedOut: true, stdout: "begun\n" });
    expect(performance.now() - began).toBeLessThan(2_500);
    await expectSilence(join(scene.ws, "tick"));
  });

  onX64("looking into processes and going around the filter are refused", async () => {
    const scene = confined().scene();
    const calls = {
      ptrace: 101,
      process_vm_readv: 310,
      io_uring_setup: 425,
      bpf: 321,
      keyctl: 250,
    };

    for (const [name, number] of Object.entries(calls)) {
      const errno = await callIn(scene, number, [0, 1, 0, 0, 0, 0]);
      expect([name, errno === ENOSYS ? EPERM : errno]).toEqual([name, EPERM]);
    }
  });

  onX64("the filter does not stand in the way of ordinary calls", async () => {
    const scene = confined().scene();
    const [getpid, socketpair] = [39, 53];

    expect(await callIn(scene, getpid, [])).toBe(0);
    expect(await callIn(scene, socketpair, [2, 1, 0, 0])).toBe(EPERM);
  });

  onX64("a call by the 32-bit entry ends the process", async () => {
    const scene = confined().scene();
    const [socketcall, SIGSYS] = [102, 31];

    expect(await callIn(scene, socketcall, [1, 0], "int80")).toBe(128 + SIGSYS);
  });

  onX64("a call by the x32 numbers is refused", async () => {
    const scene = confined().scene();

    expect(await callIn(scene, 0x40000000 + 41, [2, 1, 0])).toBe(EPERM);
  });

  test("typing into a terminal is refused", async () => {
    const scene = confined().scene();
    if (process.arch !== "x64") return;

    expect(await callIn(scene, 16, [0, 0x5412, 0])).toBe(EPERM);
  });

  test("a namespace of one's own opens nothing", async () => {
    const scene = confined().scene();

    await confined().sh(
      scene,
      `unshare -Urm sh -c 'mount -o remount,rw / ; mount -o remount,rw,bind ${scene.base};
         umount -l ${scene.ws}; umount -l /proc/sys; echo x > ${scene.victim}; touch ${scene.outside}/new
         echo x > /proc/sys/kernel/core_pattern'`,
    );

    expect(readFileSync(scene.victim, "utf8")).toBe("untouched\n");
    expect(existsSync(join(scene.outside, "new"))).toBe(false);
  });

  test("settings of the kernel cannot be written", async () => {
    const scene = confined().scene();

    const { stdout } = await confined().sh(
      scene,
      `for file in kernel/core_pattern kernel/hostname vm/drop_caches; do
         echo x > /proc/sys/$file || echo refused
       done 2>/dev/null`,
    );

    expect(stdout).toBe("refused\nrefused\nrefused\n");
  });

  test("there are only the basic devices, and none can be made", async () => {
    const scene = confined().scene();

    const { stdout } = await confined().sh(
      scene,
      "ls /dev; mknod disk b 8 0 2>/dev/null && cat disk | head -c 1 && echo read",
    );

    const names = stdout.trim().split("\n");
    const basic =
      "core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero console".split(
        " ",
      );
    expect(names.filter((name) => !basic.includes(name))).toEqual([]);
  });

  test("a sandbox inside the sandbox opens nothing", async () => {
    const scene = confined().scene();

    await confined().sh(
      scene,
      `bwrap --bind / / --dev /dev --proc /proc sh -c 'echo x > ${scene.victim}'
       bwrap --bind ${scene.outside} /mnt sh -c 'echo x > /mnt/victim.txt'`,
    );

    expect(readFileSync(scene.victim, "utf8")).toBe("untouched\n");
  });

  test("programs with children of their own work", async () => {
    const scene = confined().scene();

    const { stdout, stderr } = await confined().run(scene, [
      "node",
      "-e",
      `const { execFileSync, spawn } = require("child_process");
       console.log(execFileSync("cat", { input: "over a pipe" }).toString());
       const child = spawn("cat", { stdio: ["pipe", "inherit", "inherit"] });
       child.stdin.end("streamed\\n");`,
    ]);

    expect({ stdout, stderr }).toEqual({ stdout: "over a pipe\nstreamed\n", stderr: "" });
  });

  async function callIn(scene: Scene, number: number, args: number[], entry?: Entry) {
    const program = join(scene.base, "call");
    writeCallProgram(program, number, args, entry);
    return (await confined().run(scene, [program])).exitCode;
  }

  function sameUser() {
    const asNobody = process.getuid?.() === 0 && confined().identity === "user";
    return asNobody ? { uid: 65534, gid: 65534 } : {};
  }
});

/** Waits until a file is no longer touched; fails after a second. */
async function expectSilence(file: string): Promise<void> {
  const { rmSync } = await import("node:fs");
  const deadline = performance.now() + 1_000;
  for (;;) {
    rmSync(file, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (!existsSync(file)) return;
    expect(performance.now()).toBeLessThan(deadline);
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
