import { describe, expect, test } from "vitest";
import {
  decideExec,
  type ExecDecisionInput,
  latestSafeList,
  parseRules,
  splitWords,
  strictestDangerousList,
} from "../../src/shell/index.js";

/** Decides like the product without an era. */
function decide(
  argv: string[],
  { rules = "", ...rest }: Partial<Omit<ExecDecisionInput, "rules">> & { rules?: string } = {},
) {
  return decideExec({
    argv,
    approvalPolicy: "on-request",
    sandboxPolicy: { mode: "danger-full-access" },
    escalated: false,
    safeList: latestSafeList,
    dangerousList: strictestDangerousList,
    approvedForSession: false,
    platformSandbox: true,
    trustedRunsSandboxed: true,
    proposeAmendments: true,
    rules: parseRules([{ name: "a", text: rules }]),
    ...rest,
  });
}

const script = (text: string) => ["bash", "-lc", text];

describe("[security H5] deleting by force is asked about", () => {
  test.each([
    "rm -rf d",
    "rm -fr d",
    "rm -r -f d",
    "rm -f -r d",
    "rm --recursive --force d",
    "rm d -rf",
    "rm -Rf d",
    "rm -vrf d",
    "(rm -rf d)",
    "{ rm -rf d; }",
    "command rm -rf d",
    "command -p rm -rf d",
    "builtin command rm -rf d",
    "exec rm -rf d",
    "\\rm -rf d",
    "'rm' -rf d",
    'r""m -rf d',
    "$'\\x72m' -rf d",
    "{rm,-rf,d}",
    "/bin/rm -rf d",
    "/usr/bin/rm -rf d",
    "./rm -rf d",
    "env rm -rf d",
    "env -u A B=1 rm -rf d",
    "env -S 'rm -rf d'",
    "A=1 rm -rf d",
    "sudo rm -rf d",
    "sudo -u root -- rm -rf d",
    "sudo -n env rm -rf d",
    "doas rm -rf d",
    "nohup rm -rf d &",
    "nice -n 5 rm -rf d",
    "timeout 5 rm -rf d",
    "timeout -k 1 -s KILL 5 rm -rf d",
    "time rm -rf d",
    "setsid rm -rf d",
    "stdbuf -o0 rm -rf d",
    "busybox rm -rf d",
    "echo d | xargs rm -rf",
    "ls | xargs -n 1 -P 4 rm -f -r",
    "find . -name d -exec rm -rf {} +",
    "find . -execdir rm -rf {} \\;",
    "eval 'rm -rf d'",
    "eval rm -rf d",
    "trap 'rm -rf d' EXIT",
    "bash -c 'rm -rf d'",
    "bash -x -c 'rm -rf d'",
    "sh -ec 'rm -rf d' x",
    "dash -c 'sudo rm -rf d'",
    "su root -c 'rm -rf d'",
    "cd x && rm -rf d",
    "true || rm -rf d",
    "if true; then rm -rf d; fi",
    "f() { rm -rf d; }; f",
    "echo $(rm -rf d)",
    "echo `rm -rf d`",
    "cat <(rm -rf d)",
    "rm -rf d &",
    "rm -rf d > log 2>&1",
    "! rm -rf d",
    "echo 'rm -rf d' | sh",
    "printf 'rm -rf d' | sudo bash -s",
    "bash <<< 'rm -rf d'",
    "bash <<EOF\nrm -rf d\nEOF",
    "cat <<'EOF' | sh\nrm -rf d\nEOF",
    "git reset --hard",
    "git -C x clean -fdx",
    "command git push --force",
  ])("%s", (text) => {
    expect(decide(script(text))).toMatchObject({ decision: "ask" });
    expect(decide(script(text), { approvalPolicy: "never" })).toMatchObject({ decision: "reject" });
    // The same as words, unless it is more than one command or contains shell syntax.
    if (/[|&;(){}<>$`!\\]|^A=|""|eval|trap|exec |builtin|command/.test(text)) return;
    expect(decide(splitWords(text) ?? [])).toMatchObject({ decision: "ask" });
  });

  test.each([
    "rm d",
    "rm -r d",
    "echo rm -rf d",
    "echo 'rm -rf d'",
    "grep -rf pattern d",
    "timeout 5 ls -rf",
    "find . -name rm -print",
    "git push origin main",
    "env | grep rm",
    "cat <<EOF\nrm -rf d\nEOF",
    "echo 'rm -rf d' | cat",
    "echo 'ls' | sh",
  ])("%s is not", (text) => {
    expect(decide(script(text))).toMatchObject({ decision: "auto" });
  });
});

describe("[security H5] git, whose repository may name programs", () => {
  test.each(["git status", "git -C sub status", "cd sub && git status", "git log -p", "git diff"])(
    "%s is asked about where the user wants to be asked",
    (text) => {
      const untrusted = { approvalPolicy: "untrusted" } as const;
      expect(decide(script(text), untrusted)).toMatchObject({ decision: "ask" });
      expect(
        decide(script(text), { ...untrusted, sandboxPolicy: { mode: "read-only" } }),
      ).toMatchObject({
        decision: "ask",
      });
    },
  );
});

describe("[security H12] a rule that forbids", () => {
  const rules = 'prefix_rule(pattern=["git","push"], decision="forbidden")';

  test.each([
    "git push",
    "git push origin main",
    "/usr/bin/git push",
    "/usr/local/bin/git push",
    "./git push",
    "../bin/git push",
    "git -C . push",
    "git --no-pager push",
    "git -c x=y push",
    "git -c x=y -C . --no-pager push",
    "git --git-dir .git push",
    "git --git-dir=.git push",
    "env git push",
    "env -i A=1 git push",
    "command git push",
    "nohup git push",
    "sudo git push",
    "sudo -u me git push",
    "timeout 5 git push",
    "git pu\\sh",
    "git 'push'",
    'git pu""sh',
    "g\\it push",
    "git $'\\x70ush'",
    "bash -c 'git push'",
    "sh -c \"bash -c 'git push'\"",
    "(git push)",
    "echo x | xargs git push",
    "find . -exec git push \\;",
    "if true; then git push; fi",
    "A=1 git push",
    "git push > log",
    "eval git push",
    "echo git push | sh",
    "sh <<< 'git push'",
  ])("finds %s", (text) => {
    expect(decide(script(text), { rules })).toMatchObject({ decision: "reject" });
  });

  test.each([
    [["git", "push"]],
    [["/usr/bin/git", "-c", "a=b", "push"]],
    [["env", "git", "push"]],
    [["sudo", "-n", "timeout", "5", "git", "push"]],
    [["bash", "-c", "git push", "x"]],
  ])("finds %j", (argv) => {
    expect(decide(argv, { rules })).toMatchObject({ decision: "reject" });
  });

  test("finds a link under another name", () => {
    const realName = (program: string) => (program === "./g" ? "git" : undefined);

    expect(decide(script("./g push"), { rules, realName })).toMatchObject({ decision: "reject" });
    expect(decide(script("./h push"), { rules, realName })).toMatchObject({ decision: "auto" });
  });

  test.each([
    "git log push",
    "git --no-pager log push",
    "git stash push",
    "echo git push",
    "gitpush",
  ])("leaves %s alone", (text) => {
    expect(decide(script(text), { rules })).toMatchObject({ decision: "auto" });
  });

  test.each([
    ['["rm","-rf"]', "rm -fr x"],
    ['["rm","-rf"]', "rm -r -f x"],
    ['["rm","-rf"]', "rm --recursive --force x"],
    ['["git","push","--force"]', "git push origin --force"],
    ['["npm","publish"]', "npm --prefix x publish"],
    ['["docker",["push","rmi"]]', "docker --context c rmi x"],
  ])("%s finds %s", (pattern, text) => {
    const strict = `prefix_rule(pattern=${pattern}, decision="forbidden")`;
    expect(decide(script(text), { rules: strict })).toMatchObject({ decision: "reject" });
  });

  test("a rule that asks is found in the same ways", () => {
    const asking = 'prefix_rule(pattern=["git","push"], decision="prompt")';
    expect(decide(script("env git -C . push"), { rules: asking })).toMatchObject({
      decision: "ask",
    });
  });

  test.each(["/usr/bin/touch x", "env touch x", "sudo touch x", "command touch x", "tou\\ch x"])(
    "a rule that allows does not widen to %s",
    (text) => {
      const allowing = 'prefix_rule(pattern=["touch"], decision="allow")';
      const input = { rules: allowing, approvalPolicy: "untrusted" } as const;
      expect(decide(script("touch x"), input)).toMatchObject({ decision: "auto" });
      expect(decide(script(text), input)).toMatchObject({ decision: "ask" });
    },
  );
});

describe("[security H12] a rule that lasts is never offered for", () => {
  test.each<[string[], string[] | undefined]>([
    [["rm", "x"], ["rm"]],
    [["rm", "x"], undefined],
    [
      ["git", "-c", "a=b", "fetch"],
      ["git", "-c"],
    ],
    [["git", "-c", "a=b", "fetch"], undefined],
    [["git", "fetch"], ["git"]],
    [["ssh", "host", "ls"], ["ssh"]],
    [["ssh", "host", "ls"], undefined],
    [
      ["docker", "run", "x"],
      ["docker", "run"],
    ],
    [
      ["sudo", "apt", "install"],
      ["sudo", "apt"],
    ],
    [["env", "A=1", "x"], undefined],
    [["xargs", "ls"], undefined],
    [["find", ".", "-exec", "ls", ";"], undefined],
    [["python3"], ["python3"]],
    [
      ["python3", "-c"],
      ["python3", "-c"],
    ],
    [["node", "-e"], undefined],
    [["/usr/bin/perl", "-w"], undefined],
    [["bash"], ["bash"]],
    [["bash", "-lc"], undefined],
    [["bash", "-lc", "for x in 1; do\n touch $x\ndone"], undefined],
    [["python3", "-c", "import os\nos.remove('x')"], undefined],
  ])("%j with %j proposed", (argv, requestedPrefix) => {
    const input = { approvalPolicy: "untrusted", requestedPrefix } as const;
    const decision = decide(argv, input);

    expect(decision.decision).toBe("ask");
    const proposed = "proposedAmendment" in decision ? decision.proposedAmendment : undefined;
    expect(proposed === undefined || proposed.length > (requestedPrefix?.length ?? 99)).toBe(true);
  });

  test("others are offered as before", () => {
    const input = { approvalPolicy: "untrusted", requestedPrefix: ["npm", "run"] } as const;
    expect(decide(["npm", "run", "build"], input)).toMatchObject({
      proposedAmendment: ["npm", "run"],
    });
    expect(decide(["touch", "x"], { approvalPolicy: "untrusted" })).toMatchObject({
      proposedAmendment: ["touch", "x"],
    });
  });
});
