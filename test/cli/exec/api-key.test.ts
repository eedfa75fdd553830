import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../../support/exec.js";
import { says } from "../../support/model.js";

const withLogin = async (place: { home: string; model: { baseUrl: string } }) => {
  await writeFile(
    join(place.home, "config.toml"),
    `openai_base_url = ${JSON.stringify(place.model.baseUrl)}\n`,
  );
};

test("[terminal B1] exec signs its requests with CODEX_API_KEY", async () => {
  await using place = await makePlace([says("Hello.")]);
  await withLogin(place);
  await writeFile(join(place.home, "auth.json"), JSON.stringify({ OPENAI_API_KEY: "STORED" }));

  const env = { CODEX_API_KEY: "RUN", OPENAI_API_KEY: "AMBIENT" };
  const { code, stdout } = await place.run("quire", ["exec", "hi"], { env });

  expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
  expect(place.model.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer RUN"]);
});

test("[terminal B1] proto, like the reference's servers, does not read CODEX_API_KEY", async () => {
  await using place = await makePlace([says("Hello.")]);
  await withLogin(place);
  const input = { id: "1", op: { type: "user_input", items: [{ type: "text", text: "hi" }] } };

  const { stdout } = await place.run("quire", ["proto"], {
    stdin: `${JSON.stringify(input)}\n`,
    env: { CODEX_API_KEY: "RUN", OPENAI_API_KEY: "AMBIENT" },
  });

  expect(stdout).toContain("task_complete");
  const keys = place.model.requests.map(({ headers }) => headers.authorization);
  expect(keys).toEqual(["Bearer AMBIENT"]);
});
