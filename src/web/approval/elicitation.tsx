import { useSignal } from "@preact/signals";
import type { PendingRequest } from "../state/requests.js";
import { type FormField, type FormValue, formContent, formFields } from "./form-fields.js";

type ElicitationRequest = Extract<PendingRequest, { kind: "elicitation" }>;

/** Input that an MCP server asks for: a form, or a page to open. */
export function Elicitation({ request }: { request: ElicitationRequest }) {
  const { serverName, message, mode, url, requestedSchema } = request.params;
  const values = useSignal<Readonly<Record<string, FormValue>>>({});
  const fields = formFields(requestedSchema);
  const answer = (action: "accept" | "decline" | "cancel") =>
    request.answer({
      action,
      content: action === "accept" ? formContent(fields, values.value) : null,
      _meta: null,
    });
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
        class="asked-form"
        onSubmit={(event) => {
          event.preventDefault();
          answer("accept");
        }}
      >
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values.value[field.name] ?? field.initial}
            onChange={(value) => {
              values.value = { ...values.value, [field.name]: value };
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

interface FieldProps {
  field: FormField;
  value: FormValue;
  onChange(value: FormValue): void;
}

function Field(props: FieldProps) {
  const { field, value, onChange } = props;
  const { kind, label, isRequired, help } = field;
  if (kind === "choices") return <Choices {...props} />;
  if (kind === "switch") {
    return (
      <label class="row">
        <input
          type="checkbox"
          checked={value === true}
          onInput={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
        <Help text={help} />
      </label>
    );
  }
  const name = isRequired ? label : `${label} (optional)`;
  if (kind === "choice") {
    return (
      <label class="field">
        <span>{name}</span>
        <select
          required={isRequired}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="" />
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Help text={help} />
      </label>
    );
  }
  return (
    <label class="field">
      <span>{name}</span>
      <input
        required={isRequired}
        {...(kind === "number" ? { type: "number" as const, step: "any" } : {})}
        value={String(value)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <Help text={help} />
    </label>
  );
}

function Help({ text }: { text: string }) {
  return text === "" ? null : <span class="muted">{text}</span>;
}

/** Options of which several can be chosen. */
function Choices({ field: { label, help, options }, value, onChange }: FieldProps) {
  const chosen = Array.isArray(value) ? value : [];
  return (
    <fieldset class="field choices">
      <legend>{label}</legend>
      <Help text={help} />
      {options.map((option) => (
        <label key={option.value} class="row">
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onInput={({ currentTarget: { checked } }) => {
              const others = chosen.filter((one) => one !== option.value);
              onChange(checked ? [...others, option.value] : others);
            }}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
