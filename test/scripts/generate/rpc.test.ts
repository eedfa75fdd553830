import { expect, test } from "vitest";
import { declarationsOf } from "../../../scripts/generate/rpc.js";
import { defineMethod, defineNotification } from "../../../src/protocol/rpc/declare.js";
import { NoParams } from "../../../src/protocol/rpc/v2/common.js";

test("a message is declared in a list or as an export", () => {
  const scope = "server" as const;
  const shared = { summary: "Does nothing.", scope, params: NoParams };
  const listed = defineMethod({ ...shared, name: "server/listed", result: NoParams });
  const alone = defineMethod({ ...shared, name: "server/alone", result: NoParams });
  const notification = defineNotification({ ...shared, name: "server/notified" });

  const declarations = declarationsOf({ NoParams, methods: [listed], alone, notification });

  expect(declarations).toEqual([listed, alone, notification]);
});
