import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FileAccess, FileRule, RulePlace } from "../../src/protocol/permission-rules.js";
import { type Confined, describeConfined, type Scene } from "./support/confined.js";

describeConfined("permission rules", (confined) => {
  test("a command sees that a file is denied, and goes on", async () => {
    const scene = furnished(confined());

    const { stdout, stderr, exitCode } = await confined().sh(
      scene,
      "ls; cat secret.env; echo x >> secret.env; rm -f secret.env; cat open.txt; echo after",
      { rules: { files: [...workspace, deny("secret.env")] } },
    );

    expect(stdout).toBe("docs\nopen.txt\nprivate\nsecret.env\nfine\nafter\n");
    expect(stderr.match(/Permission denied|Read-only|busy/g)).toHaveLength(3);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(scene.ws, "secret.env"), "utf8")).toBe("hush-hush");
  });

  test("a denied folder can be neither listed, entered nor written", async () => {
    const scene = furnished(confined());

    const { stdout, stderr } = await confined().sh(
      scene,
      "ls private; cd private; cat private/note; touch private/new; rmdir private; echo after",
      { rules: { files: [...workspace, deny("private")] } },
    );

    expect(stdout).toBe("after\n");
    expect(stderr.match(/Permission denied|can't cd/g)).toHaveLength(4);
    expect(readdirSync(join(scene.ws, "private"))).toEqual(["note", "pub"]);
  });

  test("nothing permits what the administrator denies", async () => {
    const scene = furnished(confined());

    const { stdout } = await confined().sh(
      scene,
      "cat private/pub/a secret.env; touch private/pub/b; cat open.txt",
      {
        rules: {
          files: [
            ...workspace,
            rule(at("private/pub"), "write"),
            { ...deny("private"), isFinal: true },
            { ...rule({ type: "glob", pattern: "**/*.env" }, "deny"), isFinal: true },
            rule(at("private/pub/a"), "read"),
            rule(at("secret.env"), "write"),
          ],
        },
      },
    );

    expect(stdout).toBe("fine\n");
    expect(readdirSync(join(scene.ws, "private/pub"))).toEqual(["a"]);
  });

  test("the most specific rule wins, and the last of equal ones", async () => {
    const scene = furnished(confined());

    const { stdout, stderr } = await confined().sh(
      scene,
      "cat private/pub/a; ls private; touch private/pub/b; touch docs/x; touch docs/out/y; touch z; cat open.txt",
      {
        rules: {
          files: [
            ...workspace,
            deny("private"),
            rule(at("private/pub"), "read"),
            rule(at("docs"), "read"),
            rule(at("docs/out"), "write"),
            deny("open.txt"),
            rule(at("open.txt"), "write"),
          ],
        },
      },
    );

    expect(stdout).toBe("publicfine\n");
    expect(stderr).toMatch(/private.*Permission denied/);
    expect(stderr).toMatch(/private\/pub\/b.*Read-only file system/);
    expect(stderr).toMatch(/docs\/x.*Read-only file system/);
    expect(["docs/out/y", "z", "docs/x"].map((path) => existsSync(join(scene.ws, path)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each([[["minimal"]], [[]]] as [["minimal"?]][])(
    "without a rule for the root only named trees and the system can be read: %j",
    async (special) => {
      const scene = furnished(confined());
      const rules = {
        files: [
          ...special.map((name) => rule({ type: "special", name: name ?? "minimal" }, "read")),
          rule({ type: "special", name: "workspace_roots" }, "write"),
          deny("secret.env"),
        ],
      };

      const { stdout, stderr } = await confined().sh(
        scene,
        `cat open.txt secret.env ${scene.victim}; ls ${scene.base}; cat /etc/shadow; ls /root; touch new /new; git --version >&2`,
        { rules },
      );

      expect(stdout).toBe("fine\nws\n");
      expect(stderr).toContain("git version");
      expect(stderr.match(/No such file|Permission denied|Read-only/g)).toHaveLength(5);
      expect(existsSync(join(scene.ws, "new"))).toBe(true);
    },
  );

  test("outside of the sandbox everything but denied files can be written", async () => {
    const scene = furnished(confined());
    const rules = { base: "unrestricted", files: [deny("secret.env")] } as const;

    const { stdout, exitCode } = await confined().sh(
      scene,
      `cat secret.env; echo changed > ${scene.victim}; mkdir .git && touch .git/x /tmp/quire-${process.pid} && rm /tmp/quire-${process.pid}; cat ${scene.victim}`,
      { rules: { ...rules, network: { enabled: true } } },
    );

    expect([stdout, exitCode]).toEqual(["changed\n", 0]);
    expect(existsSync(join(scene.ws, ".git/x"))).toBe(true);
  });

  test("a denied file that does not exist leaves no trace, and can be created afterwards", async () => {
    const scene = furnished(confined());
    const before = readdirSync(scene.ws);
    const files = [...workspace, deny("later.env"), deny("new/later.env"), glob("**/*.key")];

    const first = await confined().sh(scene, "ls -a >/dev/null; mkdir -p new", {
      rules: { files },
    });
    expect([first.exitCode, readdirSync(scene.ws)]).toEqual([0, before]);

    for (const name of ["later.env", "later.key"]) writeFileSync(join(scene.ws, name), "hush-hush");
    const { stdout } = await confined().sh(scene, "cat later.env later.key", { rules: { files } });
    expect(stdout).toBe("");
  });

  test.each([
    ["docs/**", "docs/a.key"],
    ["{docs,private}/**", "private/note"],
    ["{secret,open}.{env,txt}", "secret.env"],
    ["{a,secret{.env,.txt}}", "secret.env"],
    ["**.key", "docs/a.key"],
    ["pri**note", "private/note"],
    ["**", "private/note"],
    ["**/**", "secret.env"],
  ])("the pattern %s denies %s", async (pattern, denied) => {
    const scene = furnished(confined());
    mkdirSync(join(scene.ws, "docs"), { recursive: true });
    writeFileSync(join(scene.ws, "docs/a.key"), "hush-hush");

    const { stdout } = await confined().sh(scene, `cat ${denied}; echo after`, {
      rules: { files: [...workspace, glob(pattern)] },
    });

    expect(stdout).toBe("after\n");
  });

  test("a pattern for hidden files lets commands run, also beside others", async () => {
    const scene = furnished(confined());
    writeFileSync(join(scene.ws, ".env"), "hush-hush");
    const files = [...workspace, glob("**/.*")];

    const runs = await Promise.all(
      [1, 2, 3].map((count) =>
        confined().sh(scene, `sleep 0.${count}; cat .env; echo after`, { rules: { files } }),
      ),
    );

    expect(runs.map(({ stdout }) => stdout)).toEqual(Array(3).fill("after\n"));
    expect(readdirSync(scene.ws).filter((name) => name.startsWith("."))).toEqual([".env"]);
  });

  test("a command may create an empty file that a pattern denies", async () => {
    const scene = furnished(confined());

    const { stdout } = await confined().sh(scene, "touch a.key; sleep 0.1; echo after", {
      rules: { files: [...workspace, glob("**/*.key")] },
    });

    expect(stdout).toBe("after\n");
  });

  test("a working directory that cannot be read refuses the command", async () => {
    const scene = furnished(confined());
    const files = [rule({ type: "special", name: "root" }, "read"), deny("")];

    expect(await confined().ask(scene, ["true"], { rules: { files } })).toMatchObject({
      error: `The command cannot be confined: the working directory ${scene.ws} cannot be read: permissions.test."" denies it`,
    });
  });
});

const workspace = [
  rule({ type: "special", name: "root" }, "read"),
  rule({ type: "special", name: "workspace_roots" }, "write"),
];

function rule(place: RulePlace, access: FileAccess): FileRule {
  return { place, access };
}

function at(subpath: string): RulePlace {
  return { type: "special", name: "workspace_roots", subpath };
}

function deny(subpath: string): FileRule {
  return { ...rule(at(subpath), "deny"), origin: `permissions.test."${subpath}"` };
}

function glob(pattern: string): FileRule {
  return rule({ type: "glob", pattern }, "deny");
}

function furnished({ scene: makeScene, identity }: Confined): Scene {
  const scene = makeScene();
  for (const folder of ["private/pub", "docs/out"]) {
    mkdirSync(join(scene.ws, folder), { recursive: true });
  }
  const files = {
    "secret.env": "hush-hush",
    "private/note": "hush-hush",
    "private/pub/a": "public",
  };
  for (const [name, text] of Object.entries({ ...files, "open.txt": "fine\n" })) {
    writeFileSync(join(scene.ws, name), text);
  }
  if (process.getuid?.() === 0 && identity === "user") {
    execFileSync("chown", ["-R", "65534:65534", scene.ws]);
  }
  return scene;
}
