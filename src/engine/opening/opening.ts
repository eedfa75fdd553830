import type { ResponseItem } from "../../protocol/types.js";
import { offersPermissions } from "../ask-permissions.js";
import type { Session } from "../session.js";
import { environmentOf } from "../turn-context.js";
import { instructionsMessage } from "../user-instructions.js";
import { environmentDiffers, environmentMessage } from "./environment.js";
import { developerMessage } from "./messages.js";
import { modeMessages } from "./modes.js";
import { permissionsText } from "./permissions.js";
import { surroundingsMessage } from "./surroundings.js";

/** What stands in front of every conversation of a session. */
export function openingMessages(session: Session): ResponseItem[] {
  const { opening } = session.parts.era.engine;
  const { context } = session;
  const modes = modeMessages(undefined, context, session.parts.era.engine);
  const own = session.config.developer_instructions;
  const told = own === undefined ? modes : [developerMessage(own), ...modes];
  switch (opening) {
    case "policies in the environment":
      return [...told, ...instructionsOf(session), environmentOfPolicies(session)];
    case "policies first":
      return [
        developerMessage(permissionsOf(session, context)),
        ...told,
        ...instructionsOf(session),
        placeOf(session),
      ];
    case "skills first":
      return [
        developerMessage(
          `<skills_instructions>${session.skills}</skills_instructions>`,
          permissionsOf(session, context),
        ),
        ...told,
        ...instructionsOf(session),
        surroundingsMessage(session, session.parts.clock.now()),
      ];
  }
}

/** Tells the model what it must know of settings that have changed. */
export function changeMessages(session: Session, before: Session["context"]): ResponseItem[] {
  const { opening } = session.parts.era.engine;
  const after = session.context;
  const modes = modeMessages(before, after, session.parts.era.engine);
  if (opening === "policies in the environment") {
    const [was, is] = [environmentOf(before), environmentOf(after)];
    return environmentDiffers(was, is) ? [environmentMessage(is), ...modes] : modes;
  }
  const permissions = permissionsOf(session, after);
  const isSame = permissionsOf(session, { ...before, cwd: after.cwd }) === permissions;
  const place =
    opening === "policies first"
      ? placeOf(session)
      : surroundingsMessage(session, session.parts.clock.now());
  return [
    ...(isSame ? [] : [developerMessage(permissions)]),
    ...(before.cwd === after.cwd ? [] : [place]),
    ...modes,
  ];
}

function permissionsOf({ config, parts }: Session, context: Session["context"]): string {
  return permissionsText({ ...context, canAskForMore: offersPermissions(config, parts.era) });
}

function instructionsOf({ userInstructions, context, parts }: Session): ResponseItem[] {
  if (userInstructions === undefined) return [];
  return [instructionsMessage(userInstructions, context.cwd, parts.era.engine)];
}

function environmentOfPolicies({ context, parts: { shell } }: Session): ResponseItem {
  const environment = environmentOf(context);
  return environmentMessage(shell === undefined ? environment : { ...environment, shell });
}

/** Where it works; what it may do is said elsewhere. */
function placeOf({ context: { cwd }, parts: { shell } }: Session): ResponseItem {
  return environmentMessage(shell === undefined ? { cwd } : { cwd, shell });
}
