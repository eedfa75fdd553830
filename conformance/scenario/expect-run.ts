import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseToml } from "../../src/config/toml/table.js";
import compactPrompt from "../../src/engine/prompts/compact.md";
import { isRecord } from "../../src/protocol/read/check.js";
import { checkRequest } from "./expect-request.js";
import { checkRollout, rolloutFacts } from "./expect-rollout.js";
import { checkFact, type Facts, firstDifference, show } from "./facts.js";
import { bodyOf, requestFacts } from "./request-facts.js";
import type { ScenarioRun } from "./run.js";
import type { Scenario } from "./scenario.js";

/** Compares the outcome of a scenario with its expectations; returns the first difference. */
export async function checkRun(
  scenario: Scenario,
  run: ScenarioRun,
  expect: object,
): Promise<string | undefined> {
  const facts = await runFacts(scenario, run);
  return firstDifference(
    Object.entries(run.bindings.fill(expect) as object).map(([name, value]) => () => {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check !== undefined) return check(run, value);
      if (isRecord(value) && !Object.hasOwn(facts, name)) return checkEvent(run, name, value);
      return checkFact(facts, name, value);
    }),
  );
}

type RunCheck = (run: ScenarioRun, expected: unknown) => string | undefined;

const checks: Record<string, RunCheck> = {
  requests({ requests: all }, expected) {
    const wanted = expected as Record<string, unknown>[];
    if (wanted.length > all.length) return `${all.length} requests instead of ${wanted.length}`;
    return firstDifference(
      wanted.map((fields, index) => () => {
        const request = all[index];
        const difference = request && checkRequest({ request, all }, fields);
        return difference === undefined ? undefined : `request ${index}: ${difference}`;
      }),
    );
  },

  same_across_requests({ requests }, expected) {
    const bodies = requests.map(bodyOf);
    return firstDifference(
      (expected as string[]).map((key) => () => {
        const values = bodies.map((body) => body[key]);
        const isSame = values.every((value) => isDeepStrictEqual(value, values[0]));
        return isSame && values[0] !== undefined ? undefined : `${key} is ${show(values)}`;
      }),
    );
  },

  /**
   * Expectations stated in prose: a conversation keeps its key when it is resumed, and a copy gets a new
   * one.
   */
  prompt_cache_key({ requests, conversations }) {
    const keys = requests.map((request) => bodyOf(request).prompt_cache_key);
    const isRight = isDeepStrictEqual(keys, conversations);
    return isRight ? undefined : `keys ${show(keys)} in conversations ${show(conversations)}`;
  },

  request_contains: ({ requests }, expected) =>
    firstDifference(
      Object.entries(expected as Record<string, string>).map(([number, text]) => () => {
        const body = JSON.stringify(requests[Number(number)]?.body ?? null);
        return body.includes(text) ? undefined : `request ${number} does not contain ${text}`;
      }),
    ),

  compaction_requests({ requests }, expected) {
    const numbers = requests.flatMap((request, number) => {
      const text = String(requestFacts(request).last_input_text);
      return text === "Start Summarization" || text === compactPrompt ? [number] : [];
    });
    return isDeepStrictEqual(numbers, expected) ? undefined : `compactions: ${show(numbers)}`;
  },

  events_in_order({ events }, expected) {
    const types = events.map(({ msg }) => msg.type as string);
    let at = 0;
    for (const type of expected as string[]) {
      const found = types.indexOf(type, at);
      if (found < 0) return `no ${type} from event ${at} on in ${types.join(", ")}`;
      at = found + 1;
    }
    return undefined;
  },

  absent_events({ events }, expected) {
    const found = events.find(({ msg }) => (expected as string[]).includes(msg.type));
    return found === undefined ? undefined : `there is ${show(found.msg)}`;
  },

  no_lifecycle_events_with_id_prefix({ events }, expected) {
    const found = events.find(
      ({ id, msg }) => lifecycle.has(msg.type) && id.startsWith(String(expected)),
    );
    return found === undefined ? undefined : `there is ${show(found)}`;
  },

  rollout: ({ rollout }, expected) => checkRollout(rollout, expected as object),
};

const lifecycle: ReadonlySet<string> = new Set(["task_started", "task_complete", "turn_aborted"]);

/** Expects an event of that type with these fields; `null` means that the field is absent. */
function checkEvent(
  { events }: ScenarioRun,
  type: string,
  fields: Record<string, unknown>,
): string | undefined {
  const found = events.flatMap(({ msg }) => (msg.type === type ? [msg as object] : []));
  if (found.length === 0) return `unknown expectation ${type}, nor is there such an event`;
  const fits = found.some((msg) =>
    Object.entries(fields).every(([name, value]) =>
      isDeepStrictEqual((msg as Record<string, unknown>)[name] ?? null, value),
    ),
  );
  return fits ? undefined : `${type}: expected ${show(fields)}, got ${show(found)}`;
}

async function runFacts(scenario: Scenario, run: ScenarioRun): Promise<Facts> {
  const { requests, events, place } = run;
  const toml = await readFile(join(place.home, "config.toml"), "utf8").catch(() => undefined);
  const messagesOf = (type: string) =>
    events.flatMap(({ msg }) => (msg.type === type && "message" in msg ? [msg.message] : []));
  const configured = events.find(({ msg }) => msg.type === "session_configured")?.msg;
  return {
    ...Object.fromEntries(
      Object.entries(rolloutFacts(run.rollout)).map(([name, fact]) => [`rollout_${name}`, fact]),
    ),
    request_count: requests.length,
    path: requests[0]?.url,
    event_types: events.map(({ msg }) => msg.type),
    final_event: events.at(-1)?.msg.type,
    errors: messagesOf("error"),
    error_messages: messagesOf("error"),
    stream_errors: messagesOf("stream_error"),
    agent_messages: messagesOf("agent_message"),
    initial_messages:
      configured?.type === "session_configured" ? configured.initial_messages : undefined,
    config_toml: toml,
    config_toml_exists: toml !== undefined,
    config_toml_parsed: structuredClone(await parseToml(toml ?? "", "config.toml")),
    config_toml_unchanged: toml === scenario.config_toml,
  };
}
