import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CheckContext, Skipped } from "../check.js";
import { expectIn } from "../expect.js";
import { freePort, untilOpen } from "../http-server.js";
import { installOurs } from "../installed-package.js";
import { openScene } from "../scene.js";

/** Builds an application of Next.js whose route runs a turn with the installed package, and asks it. */
export async function buildNext(
  version: string,
  react: string,
  context: CheckContext,
): Promise<string> {
  const parts = [`react@${react}`, `react-dom@${react}`, `${compiler()}@${version}`];
  const next = await context.packages.library("next", version, parts);
  const plan = () => ({ script: [[{ message: "Hello." }]], model: "gpt-5.5" });
  await using scene = await openScene(plan, context);
  const project = await installOurs(scene, context);
  // Next.js looks for its parts in the folder of the project only.
  await cp(dirname(next), join(project.folder, "node_modules"), { recursive: true });
  const route = join("app", "api", "run");
  await mkdir(join(project.folder, route), { recursive: true });
  await project.write(join("app", "layout.jsx"), layout);
  await project.write(join("app", "page.jsx"), page);
  await project.write(join(route, "route.js"), routeText);
  const command = [process.execPath, join(project.folder, "node_modules/next/dist/bin/next")];
  const quiet = { NEXT_TELEMETRY_DISABLED: "1" };
  const report = await project.run([...command, "build"], quiet);
  const complaints = report
    .split("\n")
    .filter((line) => /quire|can't resolve|critical/i.test(line));
  if (complaints.length > 0) throw new Error(`Next.js complains:\n${complaints.join("\n")}`);
  const port = await freePort();
  const start = ["start", project.folder, "--hostname", "127.0.0.1", "--port", `${port}`];
  await using server = scene.start([...command, ...start], quiet);
  await untilOpen(server, port, context.signal);
  const answer = await fetch(`http://127.0.0.1:${port}/api/run`, { signal: context.signal });
  expectIn("the answer of the route", await answer.text(), '{"text":"Hello."}');
  return `next ${version}: built a route with quire-agent without a warning; a turn ran in it`;
}

/** The native compiler of Next.js, an optional package for each system. */
function compiler(): string {
  const { platform, arch } = process;
  if (platform === "linux") return `@next/swc-linux-${arch}-gnu`;
  if (platform === "darwin") return `@next/swc-darwin-${arch}`;
  throw new Skipped(`the compiler of Next.js for ${platform} is not known to this check`);
}

const layout = `
export default ({ children }) => <html lang="en"><body>{children}</body></html>;
`;

const page = `
export default () => <p>Ask /api/run.</p>;
`;

const routeText = `
import { Codex } from "quire-agent";

export const dynamic = "force-dynamic";

export async function GET() {
  const codex = new Codex();
  try {
    const { finalResponse } = await codex.startThread({ ephemeral: true }).run("hi");
    return Response.json({ text: finalResponse });
  } finally {
    await codex.close();
  }
}
`;
