import Type, { type Static } from "typebox";
import { absent, each, retired } from "./ignored.js";
import { Count, setting, TextList, Texts } from "./setting.js";

export const TuiToml = Type.Object(
  {
    notifications: setting(Type.Union([Type.Boolean(), TextList]), {
      text: "Whether the terminal notifies when it is out of sight, or only of which events.",
      default: true,
      project: true,
    }),
    notification_method: setting(Type.Enum(["auto", "osc9", "bel"]), {
      text: "How the terminal notifies. Has no effect here.",
      default: "auto",
      since: "0.98",
      project: true,
      ignored: ["auto"],
    }),
    animations: setting(Type.Boolean(), {
      text: "Whether things move. Has no effect here.",
      default: true,
      since: "0.98",
      project: true,
      ignored: [true],
    }),
    show_tooltips: setting(Type.Boolean(), {
      text: "Whether hints are shown at the start. Has no effect here.",
      default: true,
      since: "0.98",
      project: true,
      ignored: [],
    }),
    experimental_mode: setting(Type.Enum(["plan", "default"]), {
      text: "The collaboration mode to start in. Has no effect here.",
      since: "0.98",
      project: true,
      ignored: ["default"],
    }),
    alternate_screen: setting(Type.Enum(["auto", "always", "never"]), {
      text: "Whether the whole screen is used and given back at the end. Has no effect here.",
      default: "auto",
      since: "0.98",
      project: true,
      ignored: ["auto"],
    }),
    theme: setting(Type.String(), { text: "The colours of code.", since: "0.104" }),
    status_line: setting(TextList, {
      text: "What the line below the input shows. Has no effect here.",
      since: "0.104",
      ignored: [],
    }),
    ...each(
      [
        "agents_overview_grouping",
        "auto_recap",
        "copy_on_select",
        "copy_on_select_clear_selection",
        "effects",
        "fullscreen_transcript",
        "keymap",
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
        "status_line_use_colors",
        "terminal_resize_reflow_max_rows",
        "terminal_title",
        "vim_mode_default",
      ],
      absent,
    ),
    model_availability_nux: retired(),
    screen_reader_detection_done: retired(), // what the terminal UI of 0.166 notes for itself
  },
  { $id: "TuiToml", description: "The terminal interface." },
);
export interface TuiToml extends Static<typeof TuiToml> {}

export const HistoryToml = Type.Object(
  {
    persistence: setting(Type.Enum(["save-all", "none"]), {
      text: "Whether typed messages are kept in `history.jsonl`.",
      default: "save-all",
    }),
    max_bytes: setting(Count(), {
      text: "How large that file may become before its oldest lines are dropped.",
      since: "0.98",
    }),
  },
  { $id: "HistoryToml", description: "The messages a user typed." },
);
export interface HistoryToml extends Static<typeof HistoryToml> {}

export const NoticeToml = Type.Object(
  {
    hide_full_access_warning: setting(Type.Boolean(), {
      text: "The user has seen the warning about full access.",
      since: "0.98",
    }),
    model_migrations: setting(Texts, {
      text: "Models that the user has been told have a successor.",
      since: "0.98",
    }),
  },
  {
    $id: "NoticeToml",
    description: "What the user has been shown once.",
    additionalProperties: true,
  },
);
export interface NoticeToml extends Static<typeof NoticeToml> {}

/** What the user sees and what is kept. */
export const interfaceKeys = {
  hide_agent_reasoning: setting(Type.Boolean(), {
    text: "Hides the reasoning of the model.",
    default: false,
    project: true,
  }),
  show_raw_agent_reasoning: setting(Type.Boolean(), {
    text: "Shows the reasoning of the model word by word, where it tells it.",
    default: false,
    project: true,
  }),
  file_opener: setting(Type.Enum(["vscode", "vscode-insiders", "windsurf", "cursor", "none"]), {
    text: "The editor that links to files open in. Has no effect here.",
    default: "vscode",
    project: true,
    ignored: [],
  }),
  notify: setting(TextList, {
    text: "A command to run when a task has ended; it is given a JSON text as its last argument.",
  }),
  tui: setting(TuiToml, { text: "The terminal interface.", project: true }),
  disable_paste_burst: setting(Type.Boolean(), {
    text: "Takes quickly typed text for typed, not for pasted. Has no effect here.",
    default: false,
    project: true,
    ignored: [],
  }),
  history: setting(HistoryToml, { text: "The messages a user typed." }),
  log_dir: setting(Type.String(), {
    text: "Where logs are written. Has no effect here.",
    since: "0.98",
    path: true,
    ignored: [],
  }),
  notice: setting(NoticeToml, {
    text: "What the user has been shown once.",
    since: "0.98",
    ignored: true,
  }),
};
