import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FileRule } from "../../src/protocol/permission-rules.js";
import { isFull } from "../support/counts.js";
import { type Confined, describeConfined, type How, type Scene } from "./support/confined.js";
import { furniture, type ReadAttack, readAttacks, secret } from "./support/read-attacks.js";

const denied = ["secret.env", "conf/secret.env", "private", "link.env", "later.env"];

const files: FileRule[] = [
  { place: { type: "special", name: "root" }, access: "read" },
  { place: { type: "special", name: "workspace_roots" }, access: "write" },
  ...denied.map(
    (subpath): FileRule => ({
      place: { type: "special", name: "workspace_roots", subpath },
      access: "deny",
    }),
  ),
  { place: { type: "glob", pattern: "**/*.key" }, access: "deny" },
];

const isRoot = process.getuid?.() === 0;
const possible = readAttacks.filter(
  ({ asRoot, needs }) => (asRoot === undefined || isRoot) && (needs === undefined || has(needs)),
);

/** Commands outside of the sandbox have the same masks, so some of the attacks are enough. */
const outside = possible.filter(
  ({ name, ends }) =>
    ends === undefined && (isFull || /namespace|parent|before|root|handle/.test(name)),
);

const unrestricted = { base: "unrestricted", network: { enabled: true } } as const;

describeConfined("denied files", (confined) => {
  test.each(possible.map((attack) => [attack.name, attack] as const))(
    "cannot be read: %s",
    (_, attack) => expectHeld(confined(), attack, { rules: { files } }),
  );

  test.each(outside.map((attack) => [attack.name, attack] as const))(
    "cannot be read outside of the sandbox: %s",
    (_, attack) => expectHeld(confined(), attack, { rules: { files, ...unrestricted } }),
  );
});

async function expectHeld(confined: Confined, attack: ReadAttack, how: How): Promise<void> {
  const scene = confined.scene();
  host(scene, attack.asRoot ? furniture : `${furniture}; ${attack.before ?? ""}`, confined);
  if (attack.asRoot) host(scene, attack.before ?? "", confined, true);
  try {
    const before = holders(scene);
    const go = join(scene.outside, "go");
    if (attack.during !== undefined) execFileSync("mkfifo", ["-m", "666", go]);

    const env = { OUT: scene.outside };
    const running = confined.sh(scene, attack.command, { ...how, env, timeoutMs: 5_000 });
    if (attack.during !== undefined) {
      host(scene, `echo > ${go}; ${attack.during}`, confined);
    }
    const { stdout, stderr, failure } = await running;
    const now = holders(scene);
    const later = attack.next && (await confined.sh(scene, attack.next, { ...how, env }));

    expect(stdout + stderr).not.toContain(secret);
    expect(later ? later.stdout + later.stderr : "").not.toContain(secret);
    if (attack.during === undefined) expect(now).toEqual(before);
    expect(failure?.kind).toBe(attack.ends ? "sandbox" : undefined);
  } finally {
    if (attack.after !== undefined) host(scene, attack.after, confined, true);
  }
}

/** Runs a script outside of the sandbox, as the user that commands run as. */
function host(scene: Scene, script: string, { identity }: Confined, asRoot = false): void {
  const user = isRoot && identity === "user" && !asRoot ? { uid: 65534, gid: 65534 } : {};
  const env = { ...process.env, OUT: scene.outside };
  execFileSync("/bin/sh", ["-c", script], { cwd: scene.ws, env, stdio: "ignore", ...user });
}

/** Returns all files with the secret in them. */
function holders({ base }: Scene): string[] {
  const entries = readdirSync(base, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => readFileSync(path).includes(secret)).sort();
}

function has(program: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
