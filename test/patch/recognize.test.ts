import { expect, test } from "vitest";
import { recognizePatchCall } from "../../src/patch/index.js";

const PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";
const HEREDOC = `apply_patch <<'EOF'\n${PATCH}\nEOF`;
const HUNKS = [{ type: "add", path: "a", contents: "x\n" }];

test.each([
  [["apply_patch", PATCH], undefined],
  [["applypatch", PATCH], undefined],
  [["apply_patch", `<<'EOF'\n${PATCH}\nEOF\n`], undefined],
  [["bash", "-lc", HEREDOC], undefined],
  [["/usr/bin/zsh", "-c", HEREDOC], undefined],
  [["sh", "-c", `\n${HEREDOC}\n\n`], undefined],
  [["bash", "-lc", `apply_patch <<EOF\n${PATCH}\nEOF`], undefined],
  // [compat CRLF] with CRLF line endings, for which a shell would not find the delimiter
  [["bash", "-lc", `${HEREDOC}\n`.replaceAll("\n", "\r\n")], undefined],
  [["bash", "-lc", `cd sub && ${HEREDOC}`.replaceAll("\n", "\r\n")], "sub"],
  [["bash", "-lc", `apply_patch <<'EOF'\n${PATCH.replaceAll("\n", "\r\n")}\nEOF`], undefined],
  [["bash", "-lc", `apply_patch <<-EOF\n${PATCH.replaceAll(/^/gm, "\t")}\n\tEOF`], undefined],
  [["bash", "-lc", `cd sub && ${HEREDOC}`], "sub"],
  [["bash", "-lc", `cd 'a b' && ${HEREDOC}`], "a b"],
  [["bash", "-lc", `cd "a b" && ${HEREDOC}`], "a b"],
  [["bash", "-lc", `cd a\\ b && ${HEREDOC}`], "a b"],
  [["pwsh", "-Command", HEREDOC], undefined],
  [["C:\\Windows\\powershell.exe", "-NoProfile", "-command", HEREDOC], undefined],
  [["cmd.exe", "/C", `cd sub && ${HEREDOC}`], "sub"],
])("%j is a call", (argv, workdir) => {
  expect(recognizePatchCall(argv)).toEqual({
    kind: "patch",
    patch: { text: PATCH, hunks: HUNKS },
    workdir,
  });
});

test.each([
  [[]],
  [["ls"]],
  [["apply_patch"]],
  [["apply_patch", PATCH, "more"]],
  [["bash", "-x", HEREDOC]],
  [["bash", "-lc", "ls", HEREDOC]],
  [["bash", "-lc", "apply_patch"]],
  [["bash", "-lc", `apply_patch '${PATCH}'`]],
  [["bash", "-lc", `apply_patch -v <<'EOF'\n${PATCH}\nEOF`]],
  [["bash", "-lc", `apply_patch <<'EOF' > out\n${PATCH}\nEOF`]],
  [["bash", "-lc", `apply_patch 3<<'EOF'\n${PATCH}\nEOF`]],
  [["bash", "-lc", `X=1 apply_patch <<'EOF'\n${PATCH}\nEOF`]],
  [["bash", "-lc", `apply_patch <<'EOF' &\n${PATCH}\nEOF`]],
  [["bash", "-lc", `! apply_patch <<'EOF'\n${PATCH}\nEOF`]],
  [["bash", "-lc", `"apply_patch" <<'EOF'\n${PATCH}\nEOF`]],
  [["bash", "-lc", `apply_patch <<'EOF'\n${PATCH}\n`]],
  [["bash", "-lc", `apply_patch <<< '${PATCH}'`]],
  [["bash", "-lc", `echo hi; ${HEREDOC}`]],
  [["bash", "-lc", `${HEREDOC}\necho done`]],
  [["bash", "-lc", `apply_patch <<'EOF' && echo done\n${PATCH}\nEOF`]],
  [["bash", "-lc", `cd sub; ${HEREDOC}`]],
  [["bash", "-lc", `cd sub || ${HEREDOC}`]],
  [["bash", "-lc", `cd sub | ${HEREDOC}`]],
  [["bash", "-lc", `cd a && cd b && ${HEREDOC}`]],
  [["bash", "-lc", `cd a b && ${HEREDOC}`]],
  [["bash", "-lc", `cd && ${HEREDOC}`]],
  [["bash", "-lc", `cd - && ${HEREDOC}`]],
  [["bash", "-lc", `cd ~/x && ${HEREDOC}`]],
  [["bash", "-lc", `cd $X && ${HEREDOC}`]],
  [["bash", "-lc", `cd "$X" && ${HEREDOC}`]],
  [["bash", "-lc", `cd $(pwd) && ${HEREDOC}`]],
  [["bash", "-lc", `cd a* && ${HEREDOC}`]],
  [["bash", "-lc", `cd a'b' && ${HEREDOC}`]],
  [["bash", "-lc", `rm x && ${HEREDOC}`]],
  [["bash", "-lc", `(${HEREDOC}\n)`]],
])("%j is an ordinary command", (argv) => {
  expect(recognizePatchCall(argv)).toEqual({ kind: "none" });
});

test("a patch instead of a command explains how to call the tool", () => {
  const calls = [[PATCH], ["bash", "-lc", PATCH], ["bash", "-lc", `<<EOF\n${PATCH}\nEOF`]];

  const answers = calls.map(recognizePatchCall);

  const message =
    'This is a patch, not a command. Call the apply_patch tool, or run ["apply_patch", "<patch>"].';
  expect(answers).toEqual(calls.map(() => ({ kind: "implicit", message })));
});

test("a call with an invalid patch reports the error", () => {
  const error = {
    kind: "invalid_patch",
    message: "The first line of the patch must be '*** Begin Patch'",
  };

  expect(recognizePatchCall(["apply_patch", "x"])).toEqual({ kind: "invalid", error });
  expect(recognizePatchCall(["bash", "-lc", "apply_patch <<'EOF'\nx\nEOF"])).toEqual({
    kind: "invalid",
    error,
  });
});
