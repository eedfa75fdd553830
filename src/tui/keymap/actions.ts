import { vimKeys } from "../composer/vim/keys.js";
import { approvalKeys, composerKeys, type KeyBinding, mainKeys, pageKeys } from "../keys.js";

/** Bindings of the program by context and action, with the names of the reference. */
export const boundActions = {
  global: {
    open_transcript: mainKeys.transcript,
    open_external_editor: mainKeys.editor,
    clear_terminal: mainKeys.redraw,
    copy: mainKeys.copy,
    submit: mainKeys.send,
    queue: mainKeys.queue,
    toggle_shortcuts: mainKeys.help,
    toggle_vim_mode: mainKeys.vim,
  },
  chat: {
    interrupt_turn: mainKeys.interrupt,
    edit_queued_message: mainKeys.editQueued,
    next_permission_mode: mainKeys.mode,
  },
  composer: {
    submit: mainKeys.send,
    queue: mainKeys.queue,
    toggle_shortcuts: mainKeys.help,
    history_search_previous: mainKeys.searchHistory,
    paste_image: mainKeys.pasteImage,
    accept_suggestion: composerKeys.acceptSuggestion,
    open_paste: composerKeys.openPaste,
    undo: composerKeys.undo,
    redo: composerKeys.redo,
  },
  pager: {
    scroll_up: pageKeys.up,
    scroll_down: pageKeys.down,
    page_up: pageKeys.pageUp,
    page_down: pageKeys.pageDown,
    half_page_up: pageKeys.halfPageUp,
    half_page_down: pageKeys.halfPageDown,
    jump_top: pageKeys.top,
    jump_bottom: pageKeys.bottom,
    close: pageKeys.close,
  },
  approval: {
    open_fullscreen: approvalKeys.view,
    approve: approvalKeys.once,
    approve_for_session: approvalKeys.session,
    approve_for_prefix: approvalKeys.prefix,
    deny: approvalKeys.decline,
    decline: approvalKeys.instruct,
    cancel: approvalKeys.cancel,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, KeyBinding>>>>;

/** Actions of the text editor, with the names that pi-tui has for them. */
export const editorActions: Readonly<Record<string, string>> = {
  insert_newline: "tui.input.newLine",
  move_left: "tui.editor.cursorLeft",
  move_right: "tui.editor.cursorRight",
  move_up: "tui.editor.cursorUp",
  move_down: "tui.editor.cursorDown",
  move_word_left: "tui.editor.cursorWordLeft",
  move_word_right: "tui.editor.cursorWordRight",
  move_line_start: "tui.editor.cursorLineStart",
  move_line_end: "tui.editor.cursorLineEnd",
  delete_backward: "tui.editor.deleteCharBackward",
  delete_forward: "tui.editor.deleteCharForward",
  delete_backward_word: "tui.editor.deleteWordBackward",
  delete_forward_word: "tui.editor.deleteWordForward",
  kill_line_start: "tui.editor.deleteToLineStart",
  kill_line_end: "tui.editor.deleteToLineEnd",
  yank: "tui.editor.yank",
};

/** Actions of the reference that this program does not have, by context. */
export const absentActions: Readonly<Record<string, readonly string[]>> = {
  global: [
    "leader",
    "open_agents",
    "find_transcript",
    "select_transcript",
    "focus_activity",
    "toggle_fast_mode",
    "toggle_raw_output",
    "toggle_side_conversation",
  ],
  chat: [
    "open_presets",
    "toggle_voice",
    "toggle_voice_mute",
    "decrease_reasoning_effort",
    "increase_reasoning_effort",
    "previous_permission_mode",
    "prompt_stack_back",
    "skip_question",
  ],
  composer: ["history_search_next"],
  editor: ["kill_whole_line"],
  pager: ["close_transcript"],
  approval: ["open_thread"],
  list: [
    "move_up",
    "move_down",
    "move_left",
    "move_right",
    "page_up",
    "page_down",
    "jump_top",
    "jump_bottom",
    "accept",
    "cancel",
  ],
  vim_search: ["forward", "backward", "next", "previous"],
  agents: ["resume", "search", "new_worktree", "rename", "archive", "delete"],
};

/** All contexts with the names of their actions. */
export const keymapActions: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [...Object.entries(boundActions), ...Object.entries(vimKeys)].map(([context, actions]) => [
      context,
      Object.keys(actions),
    ]),
  ),
  editor: Object.keys(editorActions),
};
