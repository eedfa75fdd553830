/** Target ratio of ours to a version of the reference: a maximum, and for rates a minimum. */
export function targetOf(key: string, side: string): number | undefined {
  return targets[key]?.[side];
}

const [new166, old104] = ["codex 0.166.0", "codex 0.104.0"] as const;

const targets: Record<string, Record<string, number>> = {
  initialize: { [new166]: 0.4, [old104]: 1.5 },
  "first-turn": { [new166]: 0.25, [old104]: 0.85 },
  "turn.wall": { [new166]: 0.06, [old104]: 0.08 },
  "turn.cpu": { [new166]: 0.06, [old104]: 0.08 },
  command: { [new166]: 0.08, [old104]: 0.08 },
  "command.sandboxed": { [new166]: 0.15 },
  deltas: { [new166]: 9, [old104]: 70 },
  resident: { [new166]: 0.45 },
  "thread.memory": { [new166]: 0.03, [old104]: 0.05 },
  "at-once": { [new166]: 0.05, [old104]: 0.05 },
  exec: { [new166]: 0.35, [old104]: 0.9 },
  size: { [new166]: 0.05 },
};
