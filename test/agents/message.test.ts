import { expect, test } from "vitest";
import { type AgentMail, toMessageItem } from "../../src/agents/index.js";

function mail(fields: Partial<AgentMail>): AgentMail {
  return {
    type: "inter_agent_communication",
    author: "/root",
    recipient: "/root/tests",
    kind: "NEW_TASK",
    text: "Run them",
    trigger_turn: true,
    ...fields,
  } as AgentMail;
}

test.each(["NEW_TASK", "MESSAGE"] as const)("the text of a %s may be encrypted", (kind) => {
  expect(toMessageItem(mail({ kind }))).toEqual({
    type: "agent_message",
    author: "/root",
    recipient: "/root/tests",
    content: [
      {
        type: "input_text",
        text: `Message Type: ${kind}\nTask name: /root/tests\nSender: /root\nPayload:\n`,
      },
      { type: "encrypted_content", encrypted_content: "Run them" },
    ],
  });
});

test.each(["All pass", "", "two\nlines", "Payload:\nnot a second one"])(
  "the answer %j is one plain text after the head",
  (text) => {
    const answer = mail({
      kind: "FINAL_ANSWER",
      author: "/root/tests",
      recipient: "/root",
      text,
    });

    expect(toMessageItem(answer)).toEqual({
      type: "agent_message",
      author: "/root/tests",
      recipient: "/root",
      content: [
        {
          type: "input_text",
          text: `Message Type: FINAL_ANSWER\nTask name: /root\nSender: /root/tests\nPayload:\n${text}`,
        },
      ],
    });
  },
);
