import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";

/** Resolved from the folder the kit is started in; cases run in separate folders. */
const schemaFile = resolve("schema/app-server.schema.json");

interface Schema {
  messages: { kind: string; name: string; params: string }[];
  $defs: Record<string, object>;
}

/** A message of the server, checked against the schema that clients are given for it. */
export function readServerMessage(kind: "notification" | "server request") {
  return (json: unknown): unknown => {
    const { method, params } = json as { method: string; params: unknown };
    const schema = readSchema();
    const declared = schema.messages.find((one) => one.kind === kind && one.name === method);
    if (declared === undefined) throw new Error(`no ${kind} ${method}`);
    return assertFits(declared.params, params) && json;
  };
}

/** A value of a shape of the schema. */
export function readShape(name: string) {
  return (json: unknown): unknown => assertFits(name, json) && json;
}

function assertFits(name: string, value: unknown): true {
  const ajv = new Ajv2020({ strict: false, discriminator: true });
  const { $defs } = readSchema();
  const validate = ajv.compile({ $defs, $ref: `#/$defs/${name}` });
  if (validate(value)) return true;
  throw new Error(`no ${name}: ${ajv.errorsText(validate.errors)}`);
}

function readSchema(): Schema {
  return JSON.parse(readFileSync(schemaFile, "utf8")) as Schema;
}
