/** A field of a form that an MCP server asks for. */
export interface FormField {
  name: string;
  label: string;
  help: string;
  isRequired: boolean;
  kind: "text" | "number" | "switch" | "choice" | "choices";
  /** Empty unless it is a choice. */
  options: readonly FormOption[];
  /** Value before the user changes it. */
  initial: FormValue;
}

interface FormOption {
  value: string;
  label: string;
}

/** A text, also of a number; true or false; or the chosen options. */
export type FormValue = string | boolean | readonly string[];

/** Returns the fields of the schema of an elicitation; what it does not describe is a text. */
export function formFields(schema: unknown): FormField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, field]) => {
    const { title = name, description = "" } = field;
    const kind = kindOf(field);
    return {
      name,
      label: title,
      help: description,
      isRequired: required.includes(name),
      kind,
      options: optionsOf(kind === "choices" ? field.items : field),
      initial: initialOf(kind, field.default),
    };
  });
}

/** Returns the answer of a form, without fields that were left empty. */
export function formContent(
  fields: readonly FormField[],
  values: Readonly<Record<string, FormValue>>,
): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const { name, kind, initial, isRequired } of fields) {
    const value = values[name] ?? initial;
    if (!isRequired && (value === "" || (Array.isArray(value) && value.length === 0))) continue;
    content[name] = kind === "number" ? Number(value) : value;
  }
  return content;
}

interface ObjectSchema {
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
}

interface FieldSchema extends ChoiceSchema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  items?: ChoiceSchema;
}

/** Options of a field; newer servers name them by `oneOf` or `anyOf`, older ones by `enumNames`. */
interface ChoiceSchema {
  enum?: readonly string[];
  enumNames?: readonly string[];
  oneOf?: readonly TitledOption[];
  anyOf?: readonly TitledOption[];
}

interface TitledOption {
  const: string;
  title?: string;
}

function kindOf(field: FieldSchema): FormField["kind"] {
  if (field.type === "array") return "choices";
  if (optionsOf(field).length > 0) return "choice";
  if (field.type === "boolean") return "switch";
  return field.type === "number" || field.type === "integer" ? "number" : "text";
}

function optionsOf(schema: ChoiceSchema | undefined): FormOption[] {
  const titled = schema?.oneOf ?? schema?.anyOf;
  if (titled !== undefined) {
    return titled.map((one) => ({ value: one.const, label: one.title ?? one.const }));
  }
  return (schema?.enum ?? []).map((value, at) => ({
    value,
    label: schema?.enumNames?.[at] ?? value,
  }));
}

function initialOf(kind: FormField["kind"], value: unknown): FormValue {
  switch (kind) {
    case "switch":
      return value === true;
    case "choices":
      return Array.isArray(value) ? value.map(String) : [];
    default:
      return value === undefined || value === null ? "" : String(value);
  }
}
