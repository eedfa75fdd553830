import { expect, test } from "vitest";
import type { UserInput } from "../../../src/protocol/rpc/v2/user-input.js";
import { ClientMessages } from "../../../src/server/feed/client-messages.js";

const text = (value: string): UserInput[] => [{ type: "text", text: value, text_elements: [] }];

test("a message is found by its client id and its input", () => {
  const messages = new ClientMessages();

  messages.add("1", text("hi"), "turn-1");
  messages.add(null, text("anonymous"), "turn-2");

  expect(messages.find("1", text("hi"))).toBe("turn-1");
  expect(messages.find("1", text("other"))).toBeUndefined();
  expect(messages.find(null, text("anonymous"))).toBeUndefined();
});

test("the oldest messages are forgotten", () => {
  const messages = new ClientMessages();

  for (let count = 0; count < 40; count++) messages.add(String(count), text("hi"), `t${count}`);

  expect(messages.find("7", text("hi"))).toBeUndefined();
  expect(messages.find("8", text("hi"))).toBe("t8");
  expect(messages.find("39", text("hi"))).toBe("t39");
});

test("the id of joined input stands for the running turn until that ends", () => {
  const messages = new ClientMessages();
  messages.join("joined", "running");
  const during = messages.resolve("joined");

  messages.clearJoined();

  expect([during, messages.resolve("joined")]).toEqual(["running", "joined"]);
});
