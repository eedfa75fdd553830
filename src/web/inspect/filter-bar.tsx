import { direction, onlyInvalid, search, shown } from "./messages.js";

/** Filters by direction, method and validity. */
export function FilterBar() {
  return (
    <search class="inspect-filters" aria-label="Filter messages">
      <fieldset class="segments own-keys">
        <legend class="visually-hidden">Direction</legend>
        {directions.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name="direction"
              value={value}
              checked={direction.value === value}
              onChange={() => {
                direction.value = value;
              }}
            />
            <span class="segment">{text}</span>
          </label>
        ))}
      </fieldset>
      <input
        id="method-search"
        class="grow"
        type="search"
        aria-label="Method"
        placeholder="Method, such as turn/"
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value;
        }}
      />
      <label class="row">
        <input
          type="checkbox"
          checked={onlyInvalid.value}
          onChange={(event) => {
            onlyInvalid.value = event.currentTarget.checked;
          }}
        />
        Only invalid
      </label>
      <span class="facts">{shown.value.length} shown</span>
    </search>
  );
}

/** Moves the focus to the search field. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>("#method-search")?.focus();
}

const directions = [
  ["all", "All"],
  ["client", "From client"],
  ["server", "From server"],
] as const;
