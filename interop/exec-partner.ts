import type { Partner, Recorded } from "./partner.js";
import type { Scene } from "./scene.js";

/** Speaks with a program that is started for one turn: `codex exec … resume ID PROMPT`. */
export function execPartner(scene: Scene, exec: string[], { id }: Recorded): Partner {
  return {
    recalled: undefined,
    async say(text) {
      await using program = scene.start([...exec, "--skip-git-repo-check", "resume", id, text]);
      const code = await program.finish();
      if (code !== 0) throw new Error(`${program.name} ended with ${code}${program.lastWords()}`);
    },
    async leave() {},
    async [Symbol.asyncDispose]() {},
  };
}
