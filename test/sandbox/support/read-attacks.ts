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
const poll = (file: string, times = 300) =>
  `${wait}i=0; while [ $i -lt ${times} ]; do cat ${file} 2>/dev/null; i=$((i+1)); sleep 0.01; done`;
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
    command: poll("later.env", 30),
  },
  {
    name: "a denied file that is moved to its place",
    during: `echo ${secret} > $OUT/n; mv $OUT/n later.env`,
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
  {
    name: "a hard link made meanwhile",
    during: "ln secret.env late",
    command: poll("late"),
    ends: true,
  },
  {
    name: "a hard link into a denied folder made meanwhile",
    during: "ln private/deep/note deep/late",
    command: poll("deep/late"),
    ends: true,
  },
  {
    name: "a hard link to a match made meanwhile",
    during: "ln deep/er/two.key late",
    command: poll("late"),
    ends: true,
  },
  {
    name: "a denied file that is moved elsewhere meanwhile",
    during: "mv secret.env elsewhere",
    command: poll("elsewhere"),
    ends: true,
  },
  {
    name: "a match that is moved to another name meanwhile",
    during: "mv top.key top.txt",
    command: poll("top.txt", 30),
  },
  {
    name: "a folder above that is moved meanwhile",
    during: "mv conf conf2; mv deep deep2",
    command: poll("conf2/secret.env deep2/er/two.key"),
    ends: true,
  },
  {
    name: "swap a link while it is read",
    command:
      "ln -s open.txt swap; (i=0; while [ $i -lt 50 ]; do ln -sfn secret.env swap; ln -sfn open.txt swap; i=$((i+1)); done) & i=0; while [ $i -lt 50 ]; do cat swap 2>/dev/null; i=$((i+1)); done; wait",
  },
  {
    name: "other spellings",
    command:
      "cat SECRET.env Secret.Env secret.env/ secret.env/. ./././secret.env .//secret.env; cat PRIVATE/note private//note private/./note",
  },
  {
    name: "parents of links",
    before: "ln -s deep/er shortcut; ln -s private/deep within",
    command: "cat shortcut/../../secret.env within/../note within/note shortcut/../../top.key",
  },
  {
    name: "a folder that is open already",
    before: "mkdir -p conf/sub",
    command: "cd conf/sub && cat ../secret.env ../../secret.env /proc/self/cwd/../secret.env",
  },
  {
    name: "descriptors of the first process",
    command:
      "ls -l /proc/1/fd /proc/$PPID/fd; for p in 1 $PPID self; do for f in /proc/$p/fd/* /proc/$p/task/*/fd/*; do timeout 1 cat $f </dev/null; done; cat /proc/$p/environ /proc/$p/mem; done 2>/dev/null",
  },
  {
    name: "inherited descriptors",
    command: "for n in 3 4 5 6 7 8 9 10 11 12 13 14; do timeout 1 cat <&$n; done 2>/dev/null",
  },
  {
    name: "map a file",
    needs: "python3",
    command: `python3 -c 'import mmap,os; fd=os.open("secret.env",os.O_RDONLY); print(mmap.mmap(fd,0,prot=mmap.PROT_READ)[:])'`,
  },
  {
    name: "a path descriptor",
    needs: "python3",
    command: `python3 -c 'import os; fd=os.open("secret.env",os.O_PATH|os.O_NOFOLLOW); print(open("/proc/self/fd/%d"%fd).read())'; python3 -c 'import os; fd=os.open("private",os.O_PATH); print(open(os.open("note",os.O_RDONLY,dir_fd=fd)).read())'`,
  },
  {
    name: "io_uring and userfaultfd",
    needs: "perl",
    command: `perl -e 'my $p="\\0"x120; my $r=syscall(425,4,$p); print "ring $r\\n" if $r>=0; open(F,"<","secret.env") and print <F>; $r=syscall(323,1); print "fault $r\\n" if $r>=0'; cat secret.env`,
  },
  {
    name: "trace another process",
    needs: "gdb",
    command:
      "timeout 5 gdb -p 1 -batch -ex 'call (int)open(\"secret.env\",0)' 2>/dev/null; timeout 5 strace -e trace=read cat secret.env",
  },
  {
    name: "core files",
    command:
      "ulimit -c unlimited; sh -c 'cat secret.env; kill -SEGV $$'; cat core* 2>/dev/null; cat /proc/sys/kernel/core_pattern >/dev/null",
  },
  {
    name: "programs of git",
    needs: "git",
    before: "git init -q . && git config user.email a@b && git config user.name a",
    command:
      "git hash-object -w secret.env; git diff --no-index /dev/null secret.env; git -c core.excludesFile=secret.env status; git config -f secret.env -l; git -c include.path=$PWD/secret.env status; git apply secret.env; git --work-tree=private status",
  },
  {
    name: "the temporary folder",
    command: "TMPDIR=$PWD/private mktemp; TMPDIR=$PWD/private sh -c 'cat $TMPDIR/note'",
  },
  {
    name: "make a device or another file system",
    command: inside(
      "mknod disk b 254 0; mount -t tmpfs t private; ls private; umount private; cat private/note; mount --bind /proc/1/root m; cat m$PWD/secret.env",
    ),
  },
  {
    name: "pass a descriptor by a socket",
    needs: "python3",
    before: `python3 -c '
import socket,os,array,sys
if os.fork(): sys.exit()
os.setsid(); s=socket.socket(socket.AF_UNIX); s.bind("pass.sock"); os.chmod("pass.sock",0o777); s.listen(); s.settimeout(4)
try:
  c,_=s.accept(); f=os.open("secret.env",os.O_RDONLY); c.sendmsg([b"x"],[(socket.SOL_SOCKET,socket.SCM_RIGHTS,array.array("i",[f]))])
except Exception: pass
' >/dev/null 2>&1`,
    command: `python3 -c '
import socket,array,os
s=socket.socket(socket.AF_UNIX); s.connect("pass.sock"); m,a,f,d=s.recvmsg(1,64); print(os.read(array.array("i",a[0][2][:4])[0],99))'`,
  },
  {
    name: "pipes made before",
    before: "mkfifo pipe",
    command:
      "(timeout 1 cat secret.env > pipe &) ; timeout 1 cat pipe; cat private/note | cat; exec 5<secret.env && cat <&5",
  },
  {
    name: "a script or a library of it",
    command:
      "sh secret.env; . ./secret.env; LD_PRELOAD=$PWD/secret.env true; bash -c 'source secret.env; mapfile < secret.env; echo $(<secret.env)'",
  },
  {
    name: "lists and completion of names in a folder",
    command: "echo private/*; ls -a private; stat private/note; find . -name note -print",
  },
];
