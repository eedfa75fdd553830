import { Icon } from "../lib/icon.js";
import { reporting } from "../state/actions.js";
import { models } from "../state/app.js";
import { configured } from "../state/configured.js";
import {
  changeSettings,
  configuredText,
  draftSettings,
  type PermissionId,
  permissionChoices,
  permissionsOf,
  permissionsOfConfig,
  permissionsText,
  switchPlanMode,
} from "../state/settings.js";
import type { ThreadView } from "../state/thread-view.js";

/** Model, effort and permissions of the next turns. */
export function Pickers({ view }: { view: ThreadView | undefined }) {
  const settings = view?.settings.value;
  const draft = draftSettings.value;
  const defaults = configured.value;
  const chosen = settings?.model ?? draft.model ?? defaults.model;
  const model =
    models.value.find((one) => one.model === chosen || one.id === chosen) ??
    (chosen === undefined ? models.value.find(({ isDefault }) => isDefault) : undefined);
  const efforts = model?.supportedReasoningEfforts.map((one) => one.reasoningEffort) ?? [];
  const setEffort =
    settings === undefined ? (draft.effort ?? defaults.effort) : settings.reasoningEffort;
  const effort = setEffort ?? model?.defaultReasoningEffort;
  const permissions =
    settings === undefined
      ? (draft.permissions ?? permissionsOfConfig(defaults))
      : permissionsOf(settings);
  const isPlanning = settings?.isPlanning ?? draft.isPlanning ?? false;
  const change = (changes: Parameters<typeof changeSettings>[1]) =>
    void reporting(() => changeSettings(view, changes));
  return (
    <div class="pickers">
      <span class="picker">
        <select
          aria-label="Model"
          value={model?.model ?? chosen ?? ""}
          onChange={(event) => change({ model: event.currentTarget.value })}
        >
          {model === undefined && <option value={chosen ?? ""}>{chosen ?? "Default model"}</option>}
          {models.value.map((one) => (
            <option key={one.id} value={one.model}>
              {one.displayName}
            </option>
          ))}
        </select>
      </span>
      {efforts.length > 0 && (
        <span class="picker">
          <select
            aria-label="Effort"
            value={effort}
            onChange={(event) => change({ effort: event.currentTarget.value as never })}
          >
            {efforts.map((one) => (
              <option key={one} value={one}>
                {one} effort
              </option>
            ))}
          </select>
        </span>
      )}
      <button
        type="button"
        class="ghost small plan-switch"
        aria-pressed={isPlanning}
        title="Plan mode: the model asks and plans before it changes anything"
        onClick={() => void reporting(() => switchPlanMode(view))}
      >
        <Icon name="plan" />
        Plan
      </button>
      <span class="picker">
        <select
          aria-label="Permissions"
          value={permissions ?? ""}
          onChange={(event) => change({ permissions: event.currentTarget.value as PermissionId })}
        >
          {permissions === undefined && (
            <option value="">
              {settings === undefined
                ? (configuredText(defaults) ?? "Default permissions")
                : permissionsText(settings)}
            </option>
          )}
          {permissionChoices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}
