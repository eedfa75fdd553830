import type { Answer, Script } from "../../src/model/scripted/index.js";

/** Names of the agents that the root of one process starts. */
export function agentNames(process: string): string[] {
  return ["a", "b", "c"].map((letter) => `${process}_${letter}`);
}

/** Number of commands that the root and each agent run in one turn. */
const commandsPerScript = 4;

/** Answers of one process: the root starts three agents and runs a script while they run theirs. */
export function treeScript(process: string): Script {
  const names = agentNames(process);
  const call = (name: string, args: object, call_id: string) =>
    ({ call: name, args, call_id: `${process}.${call_id}`, namespace: "collaboration" }) as const;
  const spawns = names.map((name) =>
    call("spawn_agent", { task_name: name, message: `do ${name}`, fork_turns: "none" }, name),
  );
  const looks = (n: number): Answer => [call("list_agents", {}, `look${n}`)];
  return {
    answers: [
      spawns,
      cell(process, "root"),
      [call("wait_agent", { timeout_ms: 10_000 }, "wait")],
      looks(0),
      [{ message: `Done <${process}.done>` }],
      // A second turn, after the end of all agents.
      looks(1),
      [{ message: `Read <${process}.read>` }],
    ],
    agents: Object.fromEntries(
      names.map((name) => [
        `/root/${name}`,
        [cell(process, name), [{ message: `Answer <${name}.answer>` }]],
      ]),
    ),
  };
}

/** A script of the model that runs commands one after another; each appends to a file of its own. */
function cell(process: string, who: string): Answer {
  const mark = (n: number) => markOf(process, who, n);
  const source = Array.from({ length: commandsPerScript }, (_, n) => {
    const cmd = `printf x >> counters/${mark(n)}; sleep 0.03`;
    return `text((await tools.exec_command({ cmd: ${JSON.stringify(cmd)}, login: false })).output);`;
  }).join("\n");
  return [
    { message: `Starting <${process}${who}.start>`, deltas: 3, pause_ms: 1 },
    { custom_call: "exec", input: source, call_id: `${process}.${who}.cell` },
  ];
}

/** Name of the file to which a command appends one byte. */
export function markOf(process: string, who: string, n: number): string {
  return `${process}-${who}-${n}`;
}
