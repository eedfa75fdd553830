import { expect, test } from "vitest";
import type { ThreadItem } from "../../../src/protocol/rpc/v2/item.js";
import { EntryList } from "../../../src/web/state/entry-list.js";

const question = item({ type: "userMessage", id: "u", clientId: null, content: [] });
const answer = item({ type: "agentMessage", id: "a", text: "" });

/** Returns the shown items with their texts. */
function shown(list: EntryList): string[] {
  return list.entries.value.map(({ id, item: { value }, live }) =>
    [id, live.value?.head ?? ("text" in value ? value.text : "")].join(" ").trim(),
  );
}

test("a message that was cut off is still shown when the history is read again", () => {
  const list = new EntryList();
  list.replace([{ item: question, turnId: "t" }]);
  list.start(answer, "t");
  list.grow({ turnId: "t", itemId: "a" }, "Half an ans");
  list.endTurn("t");

  for (const _ of ["a reconnect", "another"]) {
    const { unrecorded } = list;
    list.replace([{ item: question, turnId: "t" }]);
    for (const entry of unrecorded) list.restore(entry, false);
    expect(shown(list)).toEqual(["u", "a Half an ans"]);
  }
});

test("a message that the server remembers as cut off stands at the end of its turn, once", () => {
  const list = new EntryList();
  list.replace([
    { item: question, turnId: "t" },
    { item: { ...question, id: "next" } as ThreadItem, turnId: "t2" },
  ]);
  for (const _ of ["one device", "another"]) {
    list.addCutOff({ ...answer, text: "Half an ans" } as ThreadItem, "t");
  }
  list.addCutOff({ ...answer, text: "Half" } as ThreadItem, "rewound");

  expect(shown(list)).toEqual(["u", "a Half an ans", "next"]);
  expect(list.unrecorded.map(({ id }) => id)).toEqual(["a"]);
});

test("what the history contains or has lost its turn is not restored", () => {
  const list = new EntryList();
  list.replace([{ item: question, turnId: "t" }]);
  list.start(answer, "t");
  list.grow({ turnId: "t", itemId: "a" }, "All");
  const { unrecorded } = list;

  list.replace([
    { item: question, turnId: "t" },
    { item: { ...answer, text: "All of it" } as ThreadItem, turnId: "t" },
  ]);
  for (const entry of unrecorded) list.restore(entry, false);
  expect(shown(list)).toEqual(["u", "a All of it"]);

  list.replace([{ item: question, turnId: "before" }]);
  for (const entry of unrecorded) list.restore(entry, false);
  expect(shown(list)).toEqual(["u"]);
});

function item(fields: object): ThreadItem {
  return fields as ThreadItem;
}
