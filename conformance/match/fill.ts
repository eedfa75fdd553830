import { isObject, type Json } from "../trace/trace.js";
import type { Bindings } from "./bindings.js";
import { fillPlaces, type Places } from "./places.js";
import { requestName } from "./value.js";

/** Returns a value with the placeholders replaced by their values in this run. */
export interface Filled {
  value: Json;
  /** Placeholders the server has not given a value yet. */
  missing: string[];
}

/** Writes the values of this run into a line of the client or an answer of the model. */
export function fill(template: Json, bindings: Bindings, places: Places): Filled {
  const missing = new Set<string>();
  const value = fillValue(template, "", { bindings, places, missing });
  return { value: toOurIds(value, bindings, missing), missing: [...missing] };
}

interface Filling {
  bindings: Bindings;
  places: Places;
  missing: Set<string>;
}

function fillValue(value: Json, key: string, filling: Filling): Json {
  if (typeof value === "string") return fillText(value, key, filling);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, key, filling));
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, item]) => [
      fillText(name, "", filling),
      fillValue(item, name, filling),
    ]);
    return Object.fromEntries(entries) as Json;
  }
  if (key === "log_id" && value === 1) return Number(filling.bindings.get("LOG-1") ?? 1);
  return value;
}

function fillText(template: string, key: string, filling: Filling): string {
  const { bindings, places, missing } = filling;
  const bound = (name: string, instead: string) => {
    const value = bindings.get(name);
    if (value === undefined) missing.add(name);
    return value ?? instead;
  };
  const text = fillPlaces(template, places)
    .replace(/<((?:UUID|PID|HASH|NICKNAME)-\d+)>/g, (whole, name: string) => bound(name, whole))
    // The recorded model took the id from the output it had been shown.
    .replace(/(session_id\\*":)0(?!\d)/g, (_, before: string) => before + bound("PID-1", "0"));
  if (!/<(TIME|DATE|YYYY|HASH|RANDOM)>/.test(text)) return text;
  const recalled = bindings.recall(key, template);
  if (recalled === undefined) missing.add(template);
  return recalled ?? text;
}

/** An answer to a request of the server carries the id this run's server chose. */
function toOurIds(value: Json, bindings: Bindings, missing: Set<string>): Json {
  if (!isObject(value) || "method" in value || !("id" in value)) return value;
  if (!("result" in value) && !("error" in value)) return value;
  const id = bindings.get(requestName(value.id ?? null));
  if (id === undefined) {
    missing.add(`id of server request ${JSON.stringify(value.id)}`);
    return value;
  }
  return { ...value, id: JSON.parse(id.slice("REQUEST ".length)) as Json };
}
