import { useSignal } from "@preact/signals";
import type { PendingRequest } from "../state/requests.js";

type ElicitationRequest = Extract<PendingRequest, { kind: "elicitation" }>;

/** Input that an MCP server asks for: a form, or a page to open. */
export function Elicitation({ request }: { request: ElicitationRequest }) {
  const { serverName, message, mode, url, requestedSchema } = request.params;
  const values = useSignal<Readonly<Record<string, unknown>>>({});
  const answer = (action: "accept" | "decline" | "cancel") =>
    request.answer({ action, content: action === "accept" ? values.value : null, _meta: null });
  const fields = Object.entries(
    (requestedSchema as { properties?: Record<string, FieldSchema> } | undefined)?.properties ?? {},
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll
    <div role="group" aria-label="Question" class="approval">
      <div class="approval-title">
        <span class="waiting-mark" aria-hidden="true">
          ◆
        </span>
        {serverName} asks
      </div>
      <p class="approval-reason">{message}</p>
      {mode === "url" && url !== undefined && /^https?:\/\//i.test(url) && (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {url}
        </a>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer("accept");
        }}
      >
        {fields.map(([name, schema]) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            onChange={(value) => {
              values.value = { ...values.value, [name]: value };
            }}
          />
        ))}
        <div class="approval-buttons">
          <button type="submit" class="button primary">
            Accept
          </button>
          <button type="button" class="button" onClick={() => answer("decline")}>
            Decline
          </button>
          <button type="button" class="button danger" onClick={() => answer("cancel")}>
            Cancel
          </button>
        </div>
      </form>
    </div>
  );
}

interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  enum?: string[];
}

function Field({
  name,
  schema,
  onChange,
}: {
  name: string;
  schema: FieldSchema;
  onChange(value: unknown): void;
}) {
  const label = schema.title ?? name;
  if (schema.enum !== undefined) {
    return (
      <label class="field">
        <span>{label}</span>
        <select onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="" />
          {schema.enum.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      </label>
    );
  }
  const title = schema.description ?? "";
  if (schema.type === "boolean") {
    return (
      <label class="field">
        <span>{label}</span>
        <input
          type="checkbox"
          title={title}
          onInput={(event) => onChange(event.currentTarget.checked)}
        />
      </label>
    );
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        inputMode={isNumber(schema) ? "decimal" : "text"}
        title={title}
        onInput={({ currentTarget: { value } }) =>
          onChange(isNumber(schema) ? Number(value) : value)
        }
      />
    </label>
  );
}

function isNumber({ type }: FieldSchema): boolean {
  return type === "number" || type === "integer";
}
