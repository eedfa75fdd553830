import { wireOf } from "../../src/compat/index.js";
import type { RpcMethod } from "../../src/protocol/read/check.js";
import { parseInputItem } from "../../src/protocol/read/index.js";
import { v1Methods } from "../../src/protocol/rpc/v1/methods.generated.js";
import { v2Methods } from "../../src/protocol/rpc/v2/methods.generated.js";
import type { EventMsg, TurnItem } from "../../src/protocol/types.js";
import { TurnBuilder } from "../../src/rollout/index.js";
import { toTurn } from "../../src/server/history/items.js";
import { toThreadItem } from "../../src/server/items/messages.js";
import type { SuiteCase } from "../suite.js";
import { differs } from "./differs.js";

/** A request of a client as the app-server reads it: its method is known, its params pass. */
export function readClientRequest(json: unknown): unknown {
  const { method, params } = json as { method: string; params?: unknown };
  const known = methodNamed(method);
  if (known === undefined) throw new Error(`no method ${method}`);
  known.check(params);
  return json;
}

/** The params of a method, by its name, as the app-server reads them. */
export function readParams(method: string): (json: unknown) => unknown {
  return (json) => methodNamed(method)?.check(json);
}

function methodNamed(name: string): RpcMethod<unknown> | undefined {
  const all: Readonly<Record<string, RpcMethod<unknown>>> = { ...v1Methods, ...v2Methods };
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** An item of the engine as v2 writes it. */
export function threadItem({ core, expect }: SuiteCase): string | undefined {
  const [type, fields] = Object.entries(core as Record<string, Record<string, unknown>>)[0] ?? [];
  const item = { type, ...fields } as { type: string; content?: unknown[] };
  if (type === "UserMessage")
    item.content = item.content?.map((part) => parseInputItem(part)) ?? [];
  const params = { item: toThreadItem(item as unknown as TurnItem) };
  return differs(asWritten(wire.params("item/started", params)?.item), expect);
}

/** Turns put together from the events of a log. */
export function turnsFromEvents({ events, expect }: SuiteCase): string | undefined {
  const builder = new TurnBuilder();
  for (const msg of events as EventMsg[]) builder.add({ type: "event_msg", payload: msg });
  const page = { data: builder.turns.map((turn) => toTurn(turn, "full")) };
  const written = wire.result("thread/turns/list", page) as typeof page;
  return differs(asWritten(written.data), expect);
}

const wire = wireOf("0.104");

/** Fields absent in JSON are absent in the compared value too. */
function asWritten(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
