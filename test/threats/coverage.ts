/** Location of a case's test: a file below `test/`, and the exact name of the test. */
export type Place = readonly [file: string, name: string];

const files = "sandbox/files.test.ts";
const names = "sandbox/protected-paths.test.ts";
const processes = "sandbox/processes.test.ts";
const network = "sandbox/network.test.ts";
const launch = "sandbox/launch.test.ts";
const login = "auth/browser-login.test.ts";

const askedFor: Place = [
  "threats/approvals.test.ts",
  "all need approval, with every tool, before anything starts, in %s",
];
const refusedPatch: Place = [
  "threats/patches.test.ts",
  "outside of the workspace is refused by every tool, under %s",
];
const badStream: Place = ["threats/stream.test.ts", "%s runs nothing, and the next turn works"];
const badLine: Place = [
  "threats/protocol.test.ts",
  "every invalid line is answered, and the next turn works",
];
const links: Place = [files, "links that lead out of the workspace do not make anything writable"];
const outsiders: Place = [processes, "processes outside are neither seen nor reached"];
const noRights: Place = [processes, "the command cannot gain rights, and has none"];
const filtered: Place = [
  processes,
  "looking into processes and going around the filter are refused",
];

/** A test in this folder, whose title starts with the id of its case. */
const here = (file: string, name: string): Place => [`threats/${file}.test.ts`, name];

const anySurface = here("transports", "whatever is sent to %s, it keeps serving in bounded memory");
const anyMethod = here(
  "v2",
  "every method rejects invalid params without failing (PRO-10, PRO-11, PRO-13)",
);
const named = here(
  "transports",
  "an unknown method is named, extra fields are ignored (PRO-09, PRO-12)",
);
const loopback = here(
  "server",
  "SRV-01, SRV-08: serves programs of this machine, on loopback only",
);

/**
 * Every case that must be withstood, and the tests that perform it and check the host afterwards.
 */
export const coverage: Readonly<Record<string, readonly Place[]>> = {
  "SBX-01": [[files, "output and exit code of the command reach the caller"]],
  "SBX-02": [[files, "the workspace can be written"]],
  "SBX-03": [[files, "nothing can be made in a workspace that is read-only"]],
  "SBX-04": [[files, "nothing outside of the workspace changes, whatever is tried"]],
  "SBX-05": [links],
  "SBX-06": [links],
  "SBX-08": [
    [files, "mode, time and attributes of files outside cannot be changed"],
    here("sandbox", "SBX-08: cannot give a file outside another attribute"),
  ],
  "SBX-10": [[files, "the workspace and its parents cannot be moved"]],
  "SBX-11": [[files, "a root does not open a path that only shares its prefix"]],
  "SBX-12": [[files, "/tmp is writable unless it is excluded"]],
  "SBX-13": [[files, "TMPDIR is writable unless it is excluded"]],
  "SBX-17": [[files, "a root that is not there is left out and not made"]],
  "SBX-18": [[files, "a workspace may be called %j"]],
  "SBX-19": [[files, "a workspace reached through a link is the real one"]],
  "SBX-20": [[names, "a repository's own directory can be read but not changed"]],
  "SBX-22": [[names, "protected names that are missing cannot be made"]],
  "SBX-23": [[names, "files in %s stay unchanged"]],
  "SBX-25": [[names, "an empty workspace is empty afterwards"]],
  "SBX-30": [outsiders],
  "SBX-31": [outsiders],
  "SBX-32": [
    filtered,
    here("sandbox", "SBX-32: can neither attach to a process outside nor read its memory"),
  ],
  "SBX-34": [
    [processes, "no process of a command outlives it, not even one that left its session"],
  ],
  "SBX-35": [
    [processes, "when the agent is ended by %s, its commands are gone within a second"],
    here("sandbox", "SBX-35: takes its sandboxed commands along when it is asked to end"),
    here("sandbox", "SBX-35: ends its children after their grace period"),
  ],
  "SBX-38": [noRights],
  "SBX-39": [noRights],
  "SBX-40": [[processes, "programs that raise rights raise none"]],
  "SBX-42": [
    [processes, "a namespace of one's own opens nothing"],
    here("sandbox", "SBX-42: reaches nothing from a new namespace"),
  ],
  "SBX-44": [[processes, "there are only the basic devices, and none can be made"]],
  "SBX-45": [filtered],
  "SBX-46": [[processes, "a call by the 32-bit entry ends the process"]],
  "SBX-50": [[network, "a listener on the host receives nothing without network"]],
  "SBX-52": [[network, "no datagram leaves without network"]],
  "SBX-53": [[network, "a socket in the file system is not reached, policy %j"]],
  "SBX-56": [
    ["sandbox/seccomp.test.ts", "opens only connected Unix sockets without network"],
    here("sandbox", "SBX-56: gets no socket of the family %s"),
  ],
  "SBX-57": [[network, "name resolution fails quickly without network"]],
  "SBX-58": [[network, "with network a listener on the host is reached"]],
  "SBX-70": [[launch, "the command gets no descriptor but the three it needs"]],
  "SBX-72": [
    [
      launch,
      "without user namespaces no command starts, and the error has the reason and a remedy",
    ],
    here("sandbox", "SBX-72: starts nothing without user namespaces, and reports why"),
  ],
  "SBX-73": [[launch, "words that look like options are passed on as they are"]],
  "SBX-76": [
    [processes, "a sandbox inside the sandbox opens nothing"],
    here("sandbox", "SBX-76: opens nothing to itself when it runs inside its own sandbox"),
  ],
  "SBX-78": [[files, "two hundred roots and a very long argument fit"]],
  "SBX-79": [[launch, "200 MB of output pass by in bounded memory"]],

  "APR-01": [askedFor],
  "APR-03": [askedFor],
  "APR-04": [askedFor],
  "APR-06": [askedFor],
  "APR-08": [askedFor],
  "APR-10": [askedFor],
  "APR-12": [askedFor],
  "APR-13": [askedFor],
  "APR-14": [askedFor],
  "APR-15": [askedFor],
  "APR-16": [askedFor],
  "APR-17": [askedFor],
  "APR-18": [askedFor],
  "APR-19": [askedFor],
  "APR-22": [askedFor],
  "APR-25": [askedFor],
  "APR-32": [askedFor],
  "APR-34": [askedFor],
  "APR-35": [askedFor],
  "APR-43": [askedFor],
  "APR-60": [
    here("approvals", "APR-60: a read-only command needs no approval, and the turn completes"),
  ],
  "APR-61": [here("approvals", "APR-61: what is not asked about still runs in the sandbox")],
  "APR-62": [
    here(
      "approvals",
      "APR-62: escalation with the policy `never` is refused, and the model receives the reason",
    ),
  ],
  "APR-63": [
    here("approvals", "APR-63: a folder that a call names does not become writable by that"),
  ],
  "APR-65": [
    here("approvals", "APR-65: a command approved once needs approval again"),
    here("approvals", "APR-65: so is one that was let run once without the sandbox"),
    here("approvals", "APR-65: an approval for the session does not apply in another folder"),
  ],
  "APR-67": [
    here(
      "approvals",
      "APR-67: a failure that the sandbox did not cause does not offer to leave it",
    ),
    here("approvals", "APR-67: where a version offers it all the same, the question says so"),
  ],
  "APR-68": [
    here("approvals", "runs nothing after an interrupt, under any of its ids"),
    here("approvals", "does not apply to the next turn"),
  ],
  "APR-70": [
    [
      "shell/approval.test.ts",
      "that allow a command let it run outside the sandbox, if they allow all of it",
    ],
    here("approvals", "does not allow other commands of the script"),
    here("approvals", "takes only itself out of the sandbox"),
  ],
  "APR-72": [
    here("approvals", "APR-72: a conversation that is resumed elsewhere works where it was"),
  ],

  "PAT-01": [refusedPatch],
  "PAT-02": [refusedPatch],
  "PAT-03": [refusedPatch],
  "PAT-05": [refusedPatch],
  "PAT-06": [refusedPatch],
  "PAT-08": [refusedPatch],
  "PAT-10": [refusedPatch],
  "PAT-20": [here("patches", "PAT-20: inside the workspace is applied")],
  "PAT-21": [
    here(
      "patches",
      "PAT-21: if the second of two files does not match, none changes, and the model receives the reason",
    ),
    [
      "patch/apply.test.ts",
      "if an edit fails, the earlier ones are listed and no temporary file remains",
    ],
  ],
  "PAT-22": [
    here("patches", "PAT-22: a file with %s is not updated, and the model receives the reason"),
  ],
  "PAT-25": [
    here("patches", "%s costs bounded time and memory"),
    ["patch/new-contents.test.ts", "an adversarial search fails with a reason"],
  ],
  "PAT-26": [
    here(
      "patches",
      "PAT-26: an update preserves mode and line endings, and leaves no temporary file",
    ),
    ["patch/apply.test.ts", "a file is replaced, not overwritten, so hard links keep the old text"],
  ],

  "PRC-01": [
    here("processes", "PRC-01: that ignores signals is killed with its tree at its time-out"),
  ],
  "PRC-03": [
    here(
      "processes",
      "PRC-03: a command that prints 300 MB is bounded in memory and in the model's context",
    ),
  ],
  "PRC-04": [here("processes", "PRC-04: that reads its input finds it at its end, by every tool")],
  "PRC-05": [here("processes", "PRC-05: forty commands in one turn leave no zombies")],
  "PRC-06": [
    here(
      "processes",
      "PRC-06: that lets go of its output, or leaves it to others, holds nothing up",
    ),
  ],

  "STR-01": [badStream],
  "STR-02": [badStream],
  "STR-03": [badStream],
  "STR-05": [badStream],
  "STR-07": [badStream],
  "STR-08": [badStream],
  "STR-10": [badStream],
  "STR-11": [badStream],
  "STR-12": [badStream],
  "STR-16": [
    here("stream", "STR-16: a Retry-After delay is respected, and the client is notified"),
  ],

  "SEC-01": [
    here("secrets", "SEC-01: do not reach commands, nor can they be read off the agent, in %s"),
    here("secrets", "SEC-01: do not reach commands without a sandbox either"),
  ],
  "SEC-02": [here("secrets", "SEC-02: files that the agent writes are readable by the user only")],
  "SEC-03": [
    here(
      "login",
      "SEC-03: a key is stored in a new file that only its owner can read, which replaces the old one",
    ),
    ["auth/auth-file.test.ts", "a login is pretty JSON that only its owner can read"],
  ],
  "SEC-04": [here("secrets", "SEC-04: are in no request, file or message")],
  "SEC-06": [
    here("secrets", "have unpredictable names, and are new and private"),
    here("secrets", "do not follow links of another user"),
  ],

  "MCP-01": [
    here(
      "mcp",
      "MCP-01: a server that exits at once is reported, and the session works without it",
    ),
  ],
  "MCP-02": [here("mcp", "MCP-02: a server that never answers is killed after its timeout")],
  "MCP-03": [here("mcp", "MCP-03: banners and broken JSON are ignored")],
  "MCP-07": [here("mcp", "MCP-07: a result of 30 MB is truncated before it reaches the model")],
  "MCP-08": [here("mcp", "MCP-08: a call that is never answered fails after its timeout")],
  "MCP-09": [
    here("mcp", "MCP-09: a server that dies during a call is an error, and the session continues"),
  ],
  "MCP-11": [here("mcp", "MCP-11: a malformed result is an error for the model")],
  "MCP-14": [
    here(
      "mcp",
      "MCP-14: control sequences reach the model as data, and never our output unescaped",
    ),
  ],
  "MCP-15": [
    here("mcp", "is not started before the user trusts the project, and the user is notified"),
    here("mcp", "is started once the project is trusted, but not when its command changes"),
  ],

  "DSK-01": [
    here("disk", "DSK-01: costs the record of the session and nothing else"),
    here("disk", "DSK-01: is no other when it is so by its rights"),
  ],
  "DSK-02": [
    here("disk", "costs what does not fit, and the user is told"),
    here("disk", "in place of the history file is reported"),
  ],
  "DSK-05": [
    here("disk", "%s can be resumed, and skipped lines are reported"),
    ["rollout/read.test.ts", "unreadable lines are skipped, each with a warning"],
  ],
  "DSK-06": [
    here("disk", "DSK-06: eight processes that add hundreds of history entries each lose none"),
  ],
  "DSK-08": [
    [
      "rollout/archive.test.ts",
      "a path that leads out of the sessions is refused, also through a link",
    ],
  ],

  "OAU-01": [[login, "%s is answered by %i and changes nothing"]],
  "OAU-03": [[login, "is shown to the user as inert text"]],
  "OAU-04": [
    here(
      "login",
      "OAU-04: a login uses PKCE and state, and listens on loopback only until it completes",
    ),
  ],

  "PRO-01": [badLine, anySurface],
  "PRO-02": [badLine, anySurface],
  "PRO-03": [badLine, anySurface],
  "PRO-05": [badLine, anySurface],
  "PRO-06": [badLine, anySurface],
  "PRO-07": [
    badLine,
    here("transports", "PRO-07: messages of 64 MB and more cost no more than themselves"),
  ],
  "PRO-09": [badLine, named],
  "PRO-10": [badLine, anySurface, anyMethod],
  "PRO-11": [badLine, anySurface, anyMethod],
  "PRO-12": [here("protocol", "PRO-12: unknown fields are ignored"), named],
  "PRO-13": [
    badLine,
    anySurface,
    anyMethod,
    ["protocol/read/hostile.test.ts", "changes no object and is not passed on"],
  ],
  "PRO-19": [badLine, anySurface],
  "PRO-21": [
    here("protocol", "PRO-21: a submission sent byte by byte is answered"),
    here("transports", "PRO-21: a request sent byte by byte over %s is answered"),
  ],
  "PRO-23": [
    here("transports", "PRO-23: a command ends with the client that disconnects"),
    here("transports", "PRO-23: a server without clients ends with everything it runs"),
  ],
  "PRO-24": [
    here("protocol", "%s is not sent, and blocks nothing"),
    here("v2", "PRO-24: invalid images of v2 are not sent"),
  ],
  "SRV-01": [loopback],
  "SRV-02": [
    here("server", "SRV-02: refuses web pages with any headers"),
    here("server", "SRV-02: refuses host names rebound to this machine"),
    here("server", "SRV-02, SRV-11: refuses web pages and clients without the token"),
  ],
  "SRV-06": [here("server", "SRV-06: a request that a web page can post has no effect")],
  "SRV-07": [here("server", "SRV-07: %s refuses to serve other machines without a token")],
  "SRV-08": [loopback],
  "SRV-09": [
    here(
      "server",
      "SRV-09: keeps serving while other clients send too much, too slowly or nothing",
    ),
  ],
  "SRV-11": [
    here("server", "SRV-11: accepts the token in the header only"),
    here("server", "SRV-11: admits only clients with the token, and never logs it"),
  ],
  "SRV-14": [here("server", "SRV-14: a prompt that looks like options is a prompt after --")],
  "SRV-15": [
    here("server", "SRV-15: a command over %s without a policy runs under the default one"),
  ],

  "TRU-01": [
    here("trust", "starts nothing and loosens nothing"),
    [
      "config/project.test.ts",
      "is not opened before the user trusts the project, and the user is told so",
    ],
  ],
  "TRU-03": [
    here("trust", "TRU-03: programs in world-writable folders of the PATH are not executed"),
    ["project/git/diff-to-remote.test.ts", "programs that a repository names are not started"],
    [
      "project/git/diff-to-remote.test.ts",
      "a git that lies in the project or where commands may write is not used",
    ],
  ],
};
