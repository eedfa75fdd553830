import { expect, test } from "vitest";
import {
  type ConfigLayer,
  fileOf,
  itemOriginsOf,
  mergeLayers,
  originsOf,
  readConfigLayers,
  versionOf,
} from "../../../src/config/index.js";
import { createTestHome, trusts } from "../support/home.js";

test("each value is known by the layer it comes from, and layers by their version", async () => {
  await using machine = await createTestHome({
    "etc/config.toml": 'model = "system"\n[tui]\ntheme = "x"\nanimations = true\n',
    "work/.codex/config.toml": 'model_verbosity = "low"\n',
  });
  const user = await machine.write(
    "home/config.toml",
    `model = "user"\n${trusts(machine.path("work"))}`,
  );

  const { layers } = await readConfigLayers({
    ...machine.sources,
    overrides: { "tui.theme": "y" },
  });

  expect(layers.map(({ source }) => source)).toEqual([
    { type: "system", file: machine.path("etc/config.toml") },
    { type: "user", file: user },
    { type: "project", dotCodexFolder: machine.path("work/.codex") },
    { type: "sessionFlags" },
  ]);
  const origins = [...originsOf(layers)].map(([key, { source }]) => [key, source.type]);
  expect(Object.fromEntries(origins)).toEqual({
    model: "user",
    "tui.theme": "sessionFlags",
    "tui.animations": "system",
    model_verbosity: "project",
    [`projects.${machine.path("work")}.trust_level`]: "user",
  });
  expect(mergeLayers(layers)).toMatchObject({
    model: "user",
    model_verbosity: "low",
    tui: { theme: "y", animations: true },
  });
  expect(await versionOf({ a: 1, b: { c: [2], d: "x" } })).toBe(
    await versionOf({ b: { d: "x", c: [2] }, a: 1 }),
  );
  expect(await versionOf({ a: 1 })).not.toBe(await versionOf({ a: 2 }));
});

test("a disabled layer is listed with the reason", async () => {
  await using machine = await createTestHome({ "work/.codex/config.toml": 'model = "x"\n' });

  const { layers } = await readConfigLayers(machine.sources);

  expect(layers.at(-1)).toEqual({
    source: { type: "project", dotCodexFolder: machine.path("work/.codex") },
    values: {},
    disabledReason: expect.stringContaining("is not a trusted project"),
  });
  expect(mergeLayers(layers)).toEqual({});
});

test("keys that mean something to the language mean nothing more than themselves", async () => {
  await using machine = await createTestHome({
    "home/config.toml":
      '[profiles.__proto__]\nmodel = "x"\n[mcp_servers.constructor]\ncommand = "c"\n',
  });
  const overrides = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>;

  const config = await machine.load({ overrides });

  expect({}).not.toHaveProperty("polluted");
  expect([...config.mcp_servers.keys()]).toEqual(["constructor"]);
  expect(config.ignored).toEqual(["settings of the session: unknown key `__proto__`"]);
});

test("without a working folder no project is looked for", async () => {
  await using machine = await createTestHome({ "work/.codex/config.toml": 'model = "x"\n' });

  const { layers } = await readConfigLayers({ ...machine.sources, cwd: undefined });

  expect(layers.map(({ source }) => source.type)).toEqual(["system", "user"]);
});

const layer = (values: object, disabledReason?: string): ConfigLayer => ({
  source: { type: "sessionFlags" },
  values: values as ConfigLayer["values"],
  ...(disabledReason === undefined ? {} : { disabledReason }),
});

test.each([
  [[{ a: 1 }, { a: 2 }], { a: 2 }],
  [[{ a: { b: 1 } }, { a: { c: 2 } }], { a: { b: 1, c: 2 } }],
  [[{ a: { b: 1 } }, { a: 2 }], { a: 2 }],
  [[{ a: 1 }, { a: { b: 2 } }], { a: { b: 2 } }],
  [[{ a: [1, 2] }, { a: [3] }], { a: [3] }],
  [[{ a: 1 }, {}], { a: 1 }],
  [[], {}],
])("%j are merged to %j", (tables, merged) => {
  expect(JSON.parse(JSON.stringify(mergeLayers(tables.map((values) => layer(values)))))).toEqual(
    merged,
  );
});

test("a disabled layer is not merged and is no origin", () => {
  const layers = [layer({ a: 1 }), layer({ a: 2, b: 3 }, "not trusted")];

  expect({ ...mergeLayers(layers) }).toEqual({ a: 1 });
  expect([...originsOf(layers).keys()]).toEqual(["a"]);
});

test("merged tables share no data with their layers", () => {
  const values = { a: { b: [1] } };
  const merged = mergeLayers([layer(values)]) as typeof values;
  merged.a.b.push(2);

  expect(values).toEqual({ a: { b: [1] } });
});

test.each([
  [[{ a: { b: 1 } }, { a: 2 }], [["a", 1]]],
  [[{ a: 1 }, { a: { b: 2 } }], [["a.b", 1]]],
  [
    [{ a: { b: 1, c: 1 } }, { a: { b: 2 } }],
    [
      ["a.c", 0],
      ["a.b", 1],
    ],
  ],
  [[{ list: [1, 2] }], [["list", 0]]],
])("the origins of %j are %j", (tables, origins) => {
  const layers = tables.map((values) => layer(values));
  const found = [...originsOf(layers)].map(([key, origin]) => [key, layers.indexOf(origin)]);

  expect(found.sort()).toEqual([...origins].sort());
});

test("the origins of list entries are by index", () => {
  const only = layer({ list: ["x", { a: 1 }], plain: 1 });

  expect([...itemOriginsOf([only]).keys()].sort()).toEqual(["list.0", "list.1.a", "plain"]);
});

test.each([
  [{ type: "system", file: "/s" }, "/s"],
  [{ type: "user", file: "/u" }, "/u"],
  [{ type: "project", dotCodexFolder: "/p/.codex" }, "/p/.codex/config.toml"],
  [{ type: "sessionFlags" }, undefined],
] as const)("the file of %j is %s", (source, file) => {
  expect(fileOf(source)).toBe(file);
});
