import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";

/** Creates a component that is loaded when it is first rendered. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loaded: Signal<{ Component: ComponentType<Props> } | undefined> = signal(undefined);
  let isLoading = false;
  return (props: Props) => {
    if (loaded.value !== undefined) {
      const { Component } = loaded.value;
      return <Component {...props} />;
    }
    if (!isLoading) {
      isLoading = true;
      void load().then((Component) => {
        loaded.value = { Component };
      });
    }
    return <div class="loading" aria-hidden="true" />;
  };
}
