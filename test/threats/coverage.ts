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
  "are all asked about, by every tool, before anything starts, in %s",
];
const refusedPatch: Place = [
  "threats/patches.test.ts",
  "that leads out of the workspace is refused by every tool, under %s",
];
const badStream: Place = ["threats/stream.test.ts", "%s runs nothing, and the next turn works"];
const badLine: Place = [
  "threats/protocol.test.ts",
  "lines that are no submissions are each answered, and the next turn works",
];
const links: Place = [files, "links that lead out of the workspace do not make anything writable"];
const outsiders: Place = [processes, "processes outside are neither seen nor reached"];
const noRights: Place = [processes, "the command cannot gain rights, and has none"];
const filtered: Place = [
  processes,
  "looking into processes and going around the filter are refused",
];

/** A test of this folder, whose name begins with the id of its case. */
const here = (file: string, name: string): Place => [`threats/${file}.test.ts`, name];

const anySurface = here("transports", "whatever is sent to %s, it goes on, in bounded memory");
const anyMethod = here(
  "v2",
  "junk is refused by every method, and none fails over it (PRO-10, PRO-11, PRO-13)",
);
const named = here(
  "transports",
  "an unknown method is named, extra fields are passed over (PRO-09, PRO-12)",
);
const loopback = here(
  "server",
  "SRV-01, SRV-08: serves programs of this machine, on loopback alone",
);

/** Every case that must be withstood, and the tests that play it and look at the host afterwards. */
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
  "SBX-10": [[files, "the workspace and what holds it stay in their place"]],
  "SBX-11": [[files, "a root does not open what only begins with the same letters"]],
  "SBX-12": [[files, "/tmp is writable unless it is excluded"]],
  "SBX-13": [[files, "TMPDIR is writable unless it is excluded"]],
  "SBX-17": [[files, "a root that is not there is left out and not made"]],
  "SBX-18": [[files, "a workspace may be called %j"]],
  "SBX-19": [[files, "a workspace reached through a link is the real one"]],
  "SBX-20": [[names, "a repository's own directory can be read but not changed"]],
  "SBX-22": [[names, "protected names that are missing cannot be made"]],
  "SBX-23": [[names, "what is in %s stays as it is"]],
  "SBX-25": [[names, "an empty workspace is empty afterwards"]],
  "SBX-30": [outsiders],
  "SBX-31": [outsiders],
  "SBX-32": [
    filtered,
    here("sandbox", "SBX-32: can neither attach to a process outside nor read its memory"),
  ],
  "SBX-34": [[processes, "nothing of a command outlives it, not even what left its session"]],
  "SBX-35": [
    [processes, "when the agent is ended by %s, its commands are gone within a second"],
    here("sandbox", "SBX-35: takes its sandboxed commands along when it is asked to end"),
    here("sandbox", "SBX-35: takes others along as soon as they had their time to end"),
  ],
  "SBX-38": [noRights],
  "SBX-39": [noRights],
  "SBX-40": [[processes, "programs that raise rights raise none"]],
  "SBX-42": [
    [processes, "a namespace of one's own opens nothing"],
    here("sandbox", "SBX-42: reaches nothing from a namespace of its own"),
  ],
  "SBX-44": [[processes, "there are only the basic devices, and none can be made"]],
  "SBX-45": [filtered],
  "SBX-46": [[processes, "a call by the 32-bit entry ends the process"]],
  "SBX-50": [[network, "a listener on the host hears nothing without network"]],
  "SBX-52": [[network, "no datagram leaves without network"]],
  "SBX-53": [[network, "a socket in the file system is not reached, policy %j"]],
  "SBX-56": [
    ["sandbox/seccomp.test.ts", "opens only connected Unix sockets without network"],
    here("sandbox", "SBX-56: gets no socket of the family %s"),
  ],
  "SBX-57": [[network, "names cannot be looked up without network, and that is told soon"]],
  "SBX-58": [[network, "with network a listener on the host is reached"]],
  "SBX-70": [[launch, "the command gets no descriptor but the three it needs"]],
  "SBX-72": [
    [launch, "without user namespaces nothing is started, and the error says why and what to do"],
    here("sandbox", "SBX-72: starts nothing where there are no user namespaces, and says why"),
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
    here(
      "approvals",
      "APR-60: a command that only reads needs no question, and the turn completes",
    ),
  ],
  "APR-61": [here("approvals", "APR-61: what is not asked about still runs in the sandbox")],
  "APR-62": [
    here(
      "approvals",
      "APR-62: asking for more where nobody is asked is refused and told to the model",
    ),
  ],
  "APR-63": [
    here("approvals", "APR-63: a folder that a call names does not become writable by that"),
  ],
  "APR-65": [
    here("approvals", "APR-65: a command approved once is asked about again"),
    here("approvals", "APR-65: so is one that was let run once without the sandbox"),
    here(
      "approvals",
      "APR-65: a command approved for the session is another one in another folder",
    ),
  ],
  "APR-67": [
    here("approvals", "APR-67: a failure that is not the sandbox's leads to no offer to leave it"),
    here("approvals", "APR-67: where a version offers it all the same, the question says so"),
  ],
  "APR-68": [
    here("approvals", "runs nothing after an interrupt, under any of its ids"),
    here("approvals", "does not answer for the turn that took its place"),
  ],
  "APR-70": [
    [
      "shell/approval.test.ts",
      "that allow a command let it run outside the sandbox, if they allow all of it",
    ],
    here("approvals", "does not allow what stands beside it"),
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
  "PAT-20": [here("patches", "PAT-20: that stays in the workspace is applied")],
  "PAT-21": [
    here(
      "patches",
      "PAT-21: of two files whose second does not match none changes, and the model is told",
    ),
    [
      "patch/apply.test.ts",
      "if an edit fails, the earlier ones are listed and no temporary file remains",
    ],
  ],
  "PAT-22": [here("patches", "PAT-22: a file with %s is not updated, and the model is told")],
  "PAT-25": [
    here("patches", "%s costs bounded time and memory"),
    ["patch/new-contents.test.ts", "an adversarial search fails with a reason"],
  ],
  "PAT-26": [
    here(
      "patches",
      "PAT-26: an update keeps mode and line ends, and leaves nothing beside the file",
    ),
    ["patch/apply.test.ts", "a file is replaced, not overwritten, so hard links keep the old text"],
  ],

  "PRC-01": [
    here("processes", "PRC-01: that ignores signals is killed with its tree at its time-out"),
  ],
  "PRC-03": [
    here(
      "processes",
      "PRC-03: a command that prints 300 MB costs neither memory nor the model's patience",
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
    here("stream", "STR-16: a server that asks to wait is waited for, and the client is told"),
  ],

  "SEC-01": [
    here("secrets", "SEC-01: do not reach commands, nor can they be read off the agent, in %s"),
    here("secrets", "SEC-01: do not reach commands without a sandbox either"),
  ],
  "SEC-02": [here("secrets", "SEC-02: what the agent writes about the user is for the user alone")],
  "SEC-03": [
    here(
      "login",
      "SEC-03: a key is kept in a new file for its owner alone, which takes the place of the old",
    ),
    ["auth/auth-file.test.ts", "a login is pretty JSON that only its owner can read"],
  ],
  "SEC-04": [here("secrets", "SEC-04: are in no request, no file and no message")],
  "SEC-06": [
    here("secrets", "have names nobody can foresee, and are new and private"),
    here("secrets", "do not follow what another user has put in their way"),
  ],

  "MCP-01": [
    here("mcp", "MCP-01: a server that ends at once is told of, and the session works without it"),
  ],
  "MCP-02": [here("mcp", "MCP-02: a server that never answers costs its time-out, and is killed")],
  "MCP-03": [here("mcp", "MCP-03: banners and broken JSON are passed over")],
  "MCP-07": [here("mcp", "MCP-07: an answer of 30 MB is cut before it reaches the model")],
  "MCP-08": [here("mcp", "MCP-08: a call that is never answered is an error at its time-out")],
  "MCP-09": [
    here("mcp", "MCP-09: a server that dies during a call is an error, and the session goes on"),
  ],
  "MCP-11": [here("mcp", "MCP-11: an answer of the wrong shape is an error to the model")],
  "MCP-14": [
    here("mcp", "MCP-14: control sequences are data to the model, and never raw on our output"),
  ],
  "MCP-15": [
    here("mcp", "is not started before the user trusts the project, and the user is told"),
    here("mcp", "is started once the project is trusted, but not when its command changes"),
  ],

  "DSK-01": [
    here("disk", "DSK-01: costs the record of the session and nothing else"),
    here("disk", "DSK-01: is no other when it is so by its rights"),
  ],
  "DSK-02": [
    here("disk", "costs what does not fit, and the user is told"),
    here("disk", "in the place of the history is told"),
  ],
  "DSK-05": [
    here("disk", "%s is gone on with, and what is left out is told"),
    ["rollout/read.test.ts", "lines that cannot be read are left out, each with a word about it"],
  ],
  "DSK-06": [
    here("disk", "DSK-06: eight programs that remember a thousand messages each lose none"),
  ],
  "DSK-08": [
    [
      "rollout/archive.test.ts",
      "a path that leads out of the sessions is refused, also through a link",
    ],
  ],

  "OAU-01": [[login, "%s is answered by %i and changes nothing"]],
  "OAU-03": [[login, "is told to the user, whose browser obeys nothing of it"]],
  "OAU-04": [
    here(
      "login",
      "OAU-04: a login proves itself, and listens on this machine alone and no longer than needed",
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
  "PRO-12": [here("protocol", "PRO-12: fields that nobody knows are passed over"), named],
  "PRO-13": [
    badLine,
    anySurface,
    anyMethod,
    ["protocol/read/hostile.test.ts", "changes no object and is not passed on"],
  ],
  "PRO-19": [badLine, anySurface],
  "PRO-21": [
    here("protocol", "PRO-21: a submission that comes byte by byte is answered"),
    here("transports", "PRO-21: a request that comes byte by byte over %s is answered"),
  ],
  "PRO-23": [
    here("transports", "PRO-23: a client that leaves in the middle of a command takes it along"),
    here("transports", "PRO-23: a server whose only client is gone ends with all that runs"),
  ],
  "PRO-24": [
    here("protocol", "%s goes nowhere, and holds nothing up"),
    here("v2", "PRO-24: pictures of v2 that are none go nowhere"),
  ],
  "SRV-01": [loopback],
  "SRV-02": [
    here("server", "SRV-02: refuses pages, whatever they say of themselves"),
    here("server", "SRV-02: refuses names that a page has pointed at this machine"),
    here("server", "SRV-02, SRV-11: refuses pages and those without the token"),
  ],
  "SRV-06": [here("server", "SRV-06: what a page can post to it has no effect")],
  "SRV-07": [here("server", "SRV-07: %s refuses to serve other machines without a token")],
  "SRV-08": [loopback],
  "SRV-09": [here("server", "SRV-09: serves while others send too much, too slowly or nothing")],
  "SRV-11": [
    here("server", "SRV-11: asks for the token in the header, and nowhere else"),
    here("server", "SRV-11: lets in only who has it, and is never told"),
  ],
  "SRV-14": [here("server", "SRV-14: a prompt that looks like options is a prompt behind --")],
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
    here("trust", "TRU-03: programs of the same name where anyone may write are not ours to call"),
    ["project/git/diff-to-remote.test.ts", "programs that a repository names are not started"],
    [
      "project/git/diff-to-remote.test.ts",
      "a git that lies in the project or where commands may write is not used",
    ],
  ],
};
