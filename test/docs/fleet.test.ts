import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bin } from "../support/bin.js";
import { hasNatsServer } from "../support/nats-server.js";

const run = promisify(execFile);

test.skipIf(!hasNatsServer())(
  "the page about fleets works as it is typed",
  async () => {
    const root = await mkdtemp(join(tmpdir(), "quire-docs-"));
    await mkdir(join(root, "bin"));
    await symlink(bin, join(root, "bin", "quire"));
    const page = await readFile("docs/fleet.md", "utf8");
    const typed = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join("\n");
    const [broker, gateway] = await Promise.all([freePort(), freePort()]);
    const script = typed.replaceAll("4222", String(broker)).replaceAll("4500", String(gateway));
    const env = { PATH: `${join(root, "bin")}:${process.env.PATH}:/usr/sbin`, HOME: root };

    const ended = `trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT\n${script}`;
    const { stdout } = await run("bash", ["-e", "-m", "-c", ended], { cwd: root, env });

    expect(stdout).toContain("The result is in result.txt.\ndone\n");
    expect(stdout).toMatch(/^two +demo +\d+ +ready$/m);
    expect(stdout).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27} +\w+ +\d+ +(running|idle)$/m);
    expect(stdout).toMatch(/^ok +broker +nats-server/m);
    expect(stdout).toMatch(/one is gone\n$/);
    expect(await readFile(join(root, "try-fleet/thread.log"), "utf8")).toContain("task_complete");
    await rm(root, { recursive: true, force: true });
  },
  120_000,
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
