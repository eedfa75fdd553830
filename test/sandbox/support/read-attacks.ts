/**
 * An attempt to read denied files. Scripts run in the workspace; `$OUT` is a folder beside it.
 *
 * Denied are `secret.env`, `conf/secret.env`, `private/`, `link.env`, `later.env` and `*.key` at any
 * depth. Everything else can be read, and the workspace can be written.
 */
export interface ReadAttack {
  name: string;
  /** Runs before the command, outside of the sandbox. */
  before?: string;
  /** Runs outside of the sandbox while the command waits for `$OUT/go`. */
  during?: string;
  command: string;
  /** A later command of the same session. */
  next?: string;
  /** `before` needs the rights of root. */
  asRoot?: true;
  /** Undoes `before`. */
  after?: string;
  /** Programs that the attack needs. */
  needs?: string;
  /** The command is expected to end early. */
  ends?: true;
}

/** Text in all denied files. */
export const secret = "hush-hush-4711";

/** Creates the denied files of the attacks in a workspace. */
export const furniture = `mkdir -p private/deep conf deep/er && for f in secret.env conf/secret.env private/note private/deep/note top.key deep/er/two.key; do echo ${secret} > $f; done && echo ${secret} > $OUT/target.env && ln -s $OUT/target.env link.env && echo fine > open.txt`;

const wait = "cat $OUT/go >/dev/null; ";
const poll = (file: string) =>
  `${wait}i=0; while [ $i -lt 300 ]; do cat ${file} 2>/dev/null; i=$((i+1)); sleep 0.01; done`;
const inside = (script: string) => `unshare -Urm sh -c '${script}'`;

/** The attacks; none may print the secret or leave a copy of it. */
export const readAttacks: readonly ReadAttack[] = [
  { name: "read the file", command: "cat secret.env; head -c 99 < secret.env; dd if=secret.env" },
  { name: "copy it", command: "cp secret.env copy; cp -a secret.env copy2; cat copy copy2" },
  { name: "move it", command: "mv secret.env moved; cat moved" },
  { name: "hard link to it", command: "ln secret.env hard; cat hard" },
  { name: "symbolic link to it", command: "ln -s secret.env soft; cat soft" },
  { name: "archive it", command: "tar cf - secret.env private; tar cf a.tar . ; cat a.tar" },
  { name: "search for it", command: "grep -r hush . ; grep -r hush $PWD" },
  {
    name: "open its permissions",
    command: "chmod 777 secret.env private; cat secret.env private/note",
  },
  {
    name: "remove and restore it",
    command: "rm -f secret.env; mv -f open.txt secret.env; cat secret.env",
  },
  {
    name: "exchange it with another file",
    needs: "perl",
    command: `perl -e 'syscall(316,-100,"open.txt",-100,"secret.env",2)'; cat open.txt secret.env`,
  },
  { name: "read a folder", command: "ls private; cat private/note; cd private && cat note" },
  { name: "find in a folder", command: "find private -type f -exec cat {} +; ls -R private" },
  { name: "copy a folder", command: "cp -r private copied; cat copied/*; cp -rl private linked" },
  { name: "move a folder", command: "mv private moved; cat moved/note" },
  { name: "remove a folder", command: "rm -rf private; ls private; cat private/note" },
  {
    name: "move its parent, then read",
    command: "mv conf c2; cat c2/secret.env",
    next: "cat c2/secret.env",
  },
  {
    name: "replace its parent by a link, then read",
    command: "cp -r conf c2; mv conf c3; ln -s c3 conf",
    next: "cat conf/secret.env c2/secret.env c3/secret.env",
  },
  {
    name: "read by other paths",
    command: 'cat ./private/../secret.env "$PWD//secret.env" /proc/self/cwd/secret.env',
  },
  {
    name: "read by the root of a process",
    command:
      "cat /proc/self/root$PWD/secret.env /proc/1/root$PWD/secret.env; cat /proc/*/root$PWD/secret.env",
  },
  {
    name: "read by the folder of a process",
    command: "cat /proc/*/cwd/secret.env; for p in /proc/[0-9]*; do cat $p/cwd/secret.env; done",
  },
  {
    name: "read open files of processes",
    command: "for f in /proc/[0-9]*/fd/*; do timeout 1 head -c 99 $f </dev/null; done 2>/dev/null",
  },
  {
    name: "read maps of processes",
    command: "cat /proc/*/environ /proc/*/map_files/* 2>/dev/null",
  },
  {
    name: "unmount in a namespace",
    command: inside("umount secret.env; umount -l private; cat secret.env private/note"),
  },
  {
    name: "mount the workspace again",
    command: inside("mkdir -p m; mount --bind . m; cat m/secret.env m/private/note"),
  },
  {
    name: "mount the workspace again with all mounts",
    command: inside(
      "mkdir -p m; mount --rbind . m; umount m/secret.env; cat m/secret.env; mount --make-rprivate /; umount -l m/private; cat m/private/note",
    ),
  },
  {
    name: "move the mask away",
    command: inside("touch m; mount --move secret.env m; cat secret.env"),
  },
  {
    name: "look below with an overlay",
    command: inside(
      "mkdir -p u w m; mount -t overlay -o lowerdir=$PWD,upperdir=$PWD/u,workdir=$PWD/w o m; cat m/secret.env m/private/note",
    ),
  },
  { name: "change the root", command: "unshare -Ur chroot / cat $PWD/secret.env" },
  {
    name: "enter the namespace of another process",
    command: "nsenter -t 1 -m cat secret.env; nsenter -t $PPID -m -U cat $PWD/secret.env",
  },
  {
    name: "open by handle",
    needs: "perl",
    command: `perl -e 'my $h=pack("Ii",128,0)."\\0"x128; my $m=pack("i",0); syscall(303,-100,"private/..",$h,$m,0); my $fd=syscall(304,3,$h,0); open(F,"<&=",$fd); print <F>'`,
  },
  {
    name: "a hard link made before",
    before: "ln secret.env hard; ln private/note deep/other",
    command: "cat hard deep/other; cp hard h2; mv hard h3; cat h2 h3",
  },
  {
    name: "a symbolic link made before",
    before: "ln -s secret.env soft; ln -s private pub",
    command: "cat soft pub/note; cp -L soft s2; cat s2",
  },
  {
    name: "a bind mount made before",
    asRoot: true,
    before:
      "mkdir -p $OUT/m1 $OUT/m2 $OUT/m3; mount --bind private $OUT/m1; mount --bind private/deep $OUT/m2; mount --bind . $OUT/m3",
    after: "umount $OUT/m1 $OUT/m2 $OUT/m3",
    command:
      "cat $OUT/m1/note $OUT/m2/note $OUT/m3/secret.env $OUT/m3/private/note $OUT/m3/top.key",
  },
  {
    name: "the target of a denied link",
    command: "cat link.env $OUT/target.env; cp link.env c; cat c",
  },
  {
    name: "the target of a link that is removed",
    command: "rm link.env; sleep 5",
    next: "cat $OUT/target.env",
    ends: true,
  },
  {
    name: "matches of a pattern",
    command: "cat top.key deep/er/two.key *.key deep/*/*.key; cp top.key t; cat t",
  },
  {
    name: "move a match of a pattern",
    command: "mv top.key top.txt; mv deep shallow; cat top.txt shallow/er/two.key",
    next: "cat shallow/er/*",
  },
  {
    name: "a match that was made before the command",
    before: `mkdir -p new/one; echo ${secret} > new/one/a.key`,
    command: "cat new/one/a.key",
  },
  {
    name: "a match that appears",
    during: `echo ${secret} > $OUT/n; mv $OUT/n n.key`,
    command: poll("n.key"),
    ends: true,
  },
  {
    name: "a match that is written in place",
    during: `echo ${secret} > n.key`,
    command: poll("n.key"),
    ends: true,
  },
  {
    name: "a match that appears in a new folder",
    during: `mkdir -p a/b; echo ${secret} > a/b/n.key`,
    command: poll("a/b/n.key"),
    ends: true,
  },
  {
    name: "a denied file that is saved again",
    during: `echo ${secret} > $OUT/n; mv $OUT/n secret.env`,
    command: poll("secret.env"),
    ends: true,
  },
  {
    name: "a match that is saved again",
    during: `echo ${secret} > $OUT/n; mv $OUT/n deep/er/two.key`,
    command: poll("deep/er/two.key"),
    ends: true,
  },
  {
    name: "a denied file that appears",
    during: `echo ${secret} > later.env`,
    command: poll("later.env"),
    ends: true,
  },
  {
    name: "a denied folder that is replaced",
    during: `mv private p2; mkdir private; echo ${secret} > private/note; mv p2/note $OUT/; rm -r p2`,
    command: poll("private/note"),
    ends: true,
  },
  {
    name: "a folder above that is replaced",
    during: `cp -r conf $OUT/c; mv conf $OUT/c2; mv $OUT/c conf`,
    command: poll("conf/secret.env"),
    ends: true,
  },
  {
    name: "follow a file",
    during: `echo ${secret} > $OUT/n; mv $OUT/n secret.env`,
    command: `${wait}timeout 2 tail -F -n 99 secret.env`,
    ends: true,
  },
];
