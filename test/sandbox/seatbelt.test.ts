import { expect, test } from "vitest";
import { type SeatbeltPlan, seatbeltArguments } from "../../src/sandbox/seatbelt.js";

const nothing: SeatbeltPlan = {
  confinement: { roots: [], readOnly: [], absent: [] },
  network: false,
  unixSockets: false,
};

const workspace: SeatbeltPlan = {
  ...nothing,
  confinement: {
    roots: [
      { path: '/Users/me/pro"ject (1)', origin: "cwd", readOnly: [] },
      { path: "/private/tmp", origin: "slash-tmp", readOnly: [] },
    ],
    readOnly: ['/Users/me/pro"ject (1)/.git', '/Users/me/pro"ject (1)/sub/.git'],
    absent: ["/private/tmp/.codex"],
  },
};

test.each([
  ["read-only", nothing],
  ["workspace-write", workspace],
  ["workspace-write with network", { ...workspace, network: true }],
  ["network and Unix sockets", { ...nothing, network: true, unixSockets: true }],
] as const)("the profile for %s is this", async (name, plan) => {
  const [option, profile, ...rest] = seatbeltArguments(plan);

  await expect([option, profile, ...rest, ""].join("\n")).toMatchFileSnapshot(
    `golden/seatbelt-${name.replaceAll(" ", "-")}.txt`,
  );
});

test("a root below a protected name is protected by exact paths only", () => {
  const root = { path: "/Users/me/.codex/worktrees/one", origin: "cwd", readOnly: [] } as const;
  const confinement = { roots: [{ ...root, readOnly: [] }], readOnly: [], absent: [] };

  const [, profile] = seatbeltArguments({ ...nothing, confinement });

  expect(profile).not.toContain("[gG]");
  expect(profile).toContain('(require-not (subpath (param "ROOT_0_KEEP_0")))');
});

test("no path is part of the profile's text", () => {
  const [, profile] = seatbeltArguments(workspace);

  expect(profile).not.toContain("/Users");
  expect(profile?.match(/\(/g)?.length).toBe(profile?.match(/\)/g)?.length);
});
