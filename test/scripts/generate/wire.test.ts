import Type, { type TObject, type TSchema } from "typebox";
import { expect, test } from "vitest";
import { wireSources } from "../../../scripts/generate/rpc.js";
import {
  readBaseline,
  undatedParts,
  type WireSources,
  writeWireTable,
} from "../../../scripts/generate/wire.js";
import { defineMethod, defineNotification } from "../../../src/protocol/rpc/declare.js";
import { onRequest, since, taggedUnion } from "../../../src/protocol/schema.js";

const shape = { scope: "server", summary: "A summary.", params: Type.Object({}) } as const;
const none = { v2: [], unions: {} };

interface Table {
  v2: { messages: object };
  events: { shapes: object };
}

function tableOf(sources: Partial<WireSources>, baseline: string[]): Table {
  const text = writeWireTable({ ...none, ...sources }, new Set(baseline));
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf(";"))) as Table;
}

test("the dates of methods and notifications are in the table", () => {
  const result = Type.Object({});
  const v2 = [
    defineMethod({ ...shape, name: "new/method", result, since: "0.166" }),
    defineMethod({ ...shape, name: "undated/method", result }),
    defineMethod({ ...shape, name: "old/method", result }),
    defineNotification({ ...shape, name: "gone/notification", until: "0.104" }),
  ];

  expect(tableOf({ v2 }, ["v2 old/method"]).v2.messages).toEqual({
    "new/method": { since: "0.166" },
    "undated/method": { since: "current" },
    "gone/notification": { until: "0.104" },
  });
});

test("events and fields without a date are new in `current`, unless the baseline lists them", () => {
  const event = (type: string, fields = {}) =>
    Type.Object({ type: Type.Literal(type), ...fields }, { $id: `${type}Event` }) as TObject;
  const text = Type.String();
  const known = event("known", { id: text, added: text, dated: since("0.104", text) });
  const dated = since("0.166", event("dated"));
  const requested = onRequest("current", since("0.45", event("requested")));
  const all = [known, event("added"), dated, requested];
  const events = taggedUnion("EventMsg", "type", all, "Events.");
  const tags = ["known", "added", "dated", "requested"].map((type) => `events ${type}Event.type`);
  const baseline = [...tags, "events EventMsg#known", "events knownEvent.id"];

  expect(tableOf({ unions: { events } }, baseline).events.shapes).toEqual({
    EventMsg: {
      tag: "type",
      variants: { known: "knownEvent" },
      variantSince: { added: "current", dated: "0.166", requested: "0.45" },
      variantOnRequest: { requested: "current" },
    },
    knownEvent: { since: { added: "current", dated: "0.104" } },
  });
});

test("the object of an untagged union is dated like others; several need a tag", () => {
  const part = (name: string) => Type.Object({ [name]: Type.String() }, { $id: name });
  const event = (value: TSchema) =>
    Type.Object({ type: Type.Literal("known"), value }, { $id: "knownEvent" }) as TObject;
  const events = (value: TSchema) =>
    ({ unions: { events: taggedUnion("EventMsg", "type", [event(value)], "Events.") } }) as const;
  const baseline = ["events EventMsg#known", "events knownEvent.type", "events knownEvent.value"];

  const one = Type.Union([Type.String(), part("a"), Type.Null()]);
  expect(tableOf(events(one), baseline).events.shapes).toMatchObject({
    knownEvent: { fields: { value: "a" } },
    a: { since: { a: "current" } },
  });
  expect(() => tableOf(events(Type.Union([part("a"), part("b")])), baseline)).toThrow(
    "knownEvent.value: a union of objects needs a tag",
  );
});

test("the baseline lists only parts that exist and have no date", () => {
  const undated = new Set(undatedParts(wireSources()));

  // Remedy: remove the lines from scripts/generate/wire-baseline.txt.
  expect([...readBaseline()].filter((part) => !undated.has(part))).toEqual([]);
});
