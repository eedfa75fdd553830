import Type, { type Static } from "typebox";
import { absent, each, retired } from "./ignored.js";
import { Count, setting, TextList, Texts } from "./setting.js";

export const TuiToml = Type.Object(
  {
    notifications: setting(Type.Union([Type.Boolean(), TextList]), {
      text: "Enables notifications while the terminal is not focused, for all or only these events.",
      default: true,
      project: true,
    }),
    notification_method: setting(Type.Enum(["auto", "osc9", "bel"]), {
      text: "Notification method. Has no effect.",
      default: "auto",
      since: "0.98",
      project: true,
      ignored: ["auto"],
    }),
    animations: setting(Type.Boolean(), {
      text: "Pulses the mark of a running turn.",
      default: true,
      since: "0.98",
      project: true,
    }),
    show_tooltips: setting(Type.Boolean(), {
      text: "Shows tips at startup. Has no effect.",
      default: true,
      since: "0.98",
      project: true,
      ignored: [],
    }),
    experimental_mode: setting(Type.Enum(["plan", "default"]), {
      text: "Initial collaboration mode. Has no effect.",
      since: "0.98",
      project: true,
      ignored: ["default"],
    }),
    alternate_screen: setting(Type.Enum(["auto", "always", "never"]), {
      text: "Uses the alternate screen. Has no effect.",
      default: "auto",
      since: "0.98",
      project: true,
      ignored: ["auto"],
    }),
    theme: setting(Type.String(), {
      text: "Color theme: `auto` matches the background of the terminal; `dark`, `light`, `ansi` (16 colors), `mono`.",
      since: "0.104",
    }),
    status_line: setting(TextList, {
      text: "Items of the status line, in order; `/statusline` lists them.",
      since: "0.104",
    }),
    status_line_use_colors: setting(Type.Boolean(), {
      text: "Colors the status line.",
      default: true,
      since: "0.166",
    }),
    terminal_title: setting(TextList, {
      text: "Items of the terminal title, in order; `/title` lists them. None: the title is left alone.",
      since: "0.166",
    }),
    vim_mode_default: setting(Type.Boolean(), {
      text: "Starts with the vim keys in the composer; `/vim` switches them.",
      default: false,
      since: "0.166",
    }),
    keymap: setting(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Union([Type.String(), TextList]))),
      {
        text: "Keys by context and action, such as `global.open_transcript`; `/keymap` lists them.",
        since: "0.166",
      },
    ),
    ...each(
      [
        "agents_overview_grouping",
        "auto_recap",
        "copy_on_select",
        "copy_on_select_clear_selection",
        "effects",
        "fullscreen_transcript",
        "mouse_scroll_speed",
        "notification_condition",
        "pet",
        "pet_anchor",
        "question_esc_back",
        "raw_output_mode",
        "rendering",
        "resume_cwd",
        "right_click_paste",
        "screen_reader",
        "session_picker_view",
        "show_server_version_notice",
        "terminal_resize_reflow_max_rows",
      ],
      absent,
    ),
    model_availability_nux: retired(),
    screen_reader_detection_done: retired(), // written by the terminal UI of 0.166
  },
  { $id: "TuiToml", description: "Terminal UI." },
);
export interface TuiToml extends Static<typeof TuiToml> {}

export const HistoryToml = Type.Object(
  {
    persistence: setting(Type.Enum(["save-all", "none"]), {
      text: "Saves typed messages to `history.jsonl`.",
      default: "save-all",
    }),
    max_bytes: setting(Count(), {
      text: "Maximum size of that file; the oldest lines are removed.",
      since: "0.98",
    }),
  },
  { $id: "HistoryToml", description: "Message history." },
);
export interface HistoryToml extends Static<typeof HistoryToml> {}

export const NoticeToml = Type.Object(
  {
    hide_full_access_warning: setting(Type.Boolean(), {
      text: "Hides the full access warning.",
      since: "0.98",
    }),
    model_migrations: setting(Texts, {
      text: "Model migrations that were announced.",
      since: "0.98",
    }),
  },
  {
    $id: "NoticeToml",
    description: "Notices that were shown.",
    additionalProperties: true,
  },
);
export interface NoticeToml extends Static<typeof NoticeToml> {}

/** User interface and history. */
export const interfaceKeys = {
  hide_agent_reasoning: setting(Type.Boolean(), {
    text: "Hides reasoning.",
    default: false,
    project: true,
  }),
  show_raw_agent_reasoning: setting(Type.Boolean(), {
    text: "Shows raw reasoning, if the model sends it.",
    default: false,
    project: true,
  }),
  file_opener: setting(Type.Enum(["vscode", "vscode-insiders", "windsurf", "cursor", "none"]), {
    text: "Editor for links to files. Has no effect.",
    default: "vscode",
    project: true,
    ignored: [],
  }),
  notify: setting(TextList, {
    text: "Command to run at the end of a turn, with a JSON argument appended.",
  }),
  tui: setting(TuiToml, { text: "Terminal UI.", project: true }),
  disable_paste_burst: setting(Type.Boolean(), {
    text: "Disables paste detection: fast input is treated as typing. Has no effect.",
    default: false,
    project: true,
    ignored: [],
  }),
  history: setting(HistoryToml, { text: "Message history." }),
  log_dir: setting(Type.String(), {
    text: "Directory of log files. Has no effect.",
    since: "0.98",
    path: true,
    ignored: [],
  }),
  notice: setting(NoticeToml, {
    text: "Notices that were shown.",
    since: "0.98",
    ignored: true,
  }),
};
