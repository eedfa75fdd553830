import { useSignal } from "@preact/signals";
import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useEffect } from "preact/hooks";
import { pair, suggestedName, takeCode } from "./pair.js";

/**
 * Form of a device that is not paired; the code comes from the address, if it has one. `hint` says where else
 * a code comes from.
 */
export function Pairing({
  onPaired,
  hint = webHint,
}: {
  onPaired(): void;
  hint?: ComponentChildren;
}) {
  const code = useSignal("");
  const name = useSignal(suggestedName(navigator.userAgent));
  const problem = useSignal("");
  const isBusy = useSignal(false);
  useEffect(() => {
    const take = () => {
      const taken = takeCode();
      if (taken !== undefined) code.value = taken;
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [code]);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    isBusy.value = true;
    problem.value = await pair(code.value, name.value);
    isBusy.value = false;
    if (problem.value === "") onPaired();
  };
  return (
    <main class="pairing">
      <form class="pairing-card" onSubmit={submit}>
        <h1>Pair this device</h1>
        <p class="muted">{hint}</p>
        <label class="field">
          <span>Pairing code</span>
          <input
            class="mono"
            required
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            value={code.value}
            onInput={(event) => {
              code.value = event.currentTarget.value;
            }}
          />
        </label>
        <label class="field">
          <span>Device name</span>
          <input
            maxLength={100}
            autocomplete="off"
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        {problem.value !== "" && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <button class="button primary" type="submit" disabled={isBusy.value}>
          Pair
        </button>
      </form>
    </main>
  );
}

const webHint = (
  <>
    Run <code>quire web pair</code> on the machine with the server, and enter the code it prints.
  </>
);
