import { resolve } from "node:path";
import type { PermissionProfile } from "../protocol/types.js";
import { realPlaceOf, type Sandbox } from "../sandbox/index.js";
import { defineTool } from "./define-tool.js";
import { type ArgumentsOf, parameters } from "./parameters.js";
import { failed, isHookDecision, ok, type Tool } from "./tool.js";

const paths = { type: "array", items: { type: "string" } } as const;

const profile = {
  ...parameters(
    {
      file_system: {
        ...parameters(
          {
            read: { ...paths, description: "Paths to read; leave it out if there are none." },
            write: {
              ...paths,
              description:
                "Files and folders to write, with all below them; leave it out if there are none.",
            },
          },
          [],
        ),
        description: "What is needed of files.",
      },
      network: {
        ...parameters(
          { enabled: { type: "boolean", description: "True asks for the network." } },
          [],
        ),
        description: "What is needed of the network.",
      },
    },
    [],
  ),
  description: "What is needed.",
} as const;

const input = parameters(
  {
    environment_id: {
      type: "string",
      description: "Where the permissions are needed; there is only `local`.",
    },
    permissions: profile,
    reason: { type: "string", description: "Why they are needed, in one sentence for the user." },
  },
  ["permissions"],
);

/** Asks the user to let commands and patches do more than the sandbox lets them. */
export function requestPermissions(sandbox: Pick<Sandbox, "grantProblem">): Tool {
  return defineTool({
    name: "request_permissions",
    description:
      "Asks the user for more permissions on files or the network, and waits for the answer: what " +
      "of them is granted, and whether for this turn or for the session. Later commands and patches " +
      "have them without asking again. Ask only for what the task needs. Relative paths count from " +
      "the working folder.",
    input,
    async run({ environment_id = "local", permissions, reason }, { turn, askPermissions }) {
      if (environment_id !== "local") {
        return failed(`unknown turn environment id \`${environment_id}\``);
      }
      const asked = toAsked(permissions, turn.cwd, sandbox);
      if (typeof asked === "string") return failed(asked);
      const answer = await askPermissions({
        permissions: asked,
        ...(reason === undefined ? {} : { reason }),
      });
      if (isHookDecision(answer) && answer.behavior === "deny") return failed(answer.message);
      return ok(JSON.stringify(answer));
    },
  });
}

/** Returns the request with real paths, so that the user sees the true targets; or an error text. */
function toAsked(
  { network, file_system = {} }: ArgumentsOf<typeof profile>,
  cwd: string,
  sandbox: Pick<Sandbox, "grantProblem">,
): PermissionProfile | string {
  const { read = [], write = [] } = file_system;
  if (read.length + write.length > mostPaths) {
    return `request_permissions takes at most ${mostPaths} paths; ask for the folder that holds them`;
  }
  const places = [read, write].map((list) => toPlaces(list, cwd));
  const [reads, writes] = places;
  if (typeof reads === "string") return reads;
  if (typeof writes === "string") return writes;
  for (const path of writes ?? []) {
    const problem = sandbox.grantProblem(path);
    if (problem !== undefined) return cannotGrant(path, problem);
  }
  const files = {
    ...(reads?.length ? { read: reads } : {}),
    ...(writes?.length ? { write: writes } : {}),
  };
  const asked: PermissionProfile = {
    ...(network?.enabled === true ? { network: { enabled: true } } : {}),
    ...(Object.keys(files).length === 0 ? {} : { file_system: files }),
  };
  const isEmpty = Object.keys(asked).length === 0;
  return isEmpty ? "request_permissions requires at least one permission" : asked;
}

function toPlaces(list: readonly string[], cwd: string): string[] | string {
  const places: string[] = [];
  for (const path of list) {
    const place = path === "" ? undefined : realPlaceOf(resolve(cwd, path));
    if (place === undefined) return `request_permissions: ${path || "an empty path"} leads nowhere`;
    if (!places.includes(place)) places.push(place);
  }
  return places;
}

function cannotGrant(path: string, problem: string): string {
  const advice =
    problem === "does not exist" ? "; ask for the folder in which it is to be made" : "";
  return `request_permissions: ${path} cannot be granted for writing: it ${problem}${advice}`;
}

/** Each one costs a little with every command. */
const mostPaths = 32;
