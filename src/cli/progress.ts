import { escapeControls } from './output.ts'

/** The status line of a long command, which is overwritten. */
export type StatusLine = {
  /** Replaces the line. */
  show(line: string): void
  /** Removes the line, so that the next output starts there. */
  clear(): void
}

/** The part of a stream that is used: `columns` is the width of a terminal. */
type TerminalStream = { isTTY?: boolean; columns?: number; write(text: string): unknown }

/** Returns to the first column and erases the line. */
const CLEAR = '\r\u001b[2K'
const DEFAULT_COLUMNS = 80

/** Opens a status line on a terminal, by default stderr. To a pipe or a file, it writes nothing. */
export function openProgress(terminal: TerminalStream = process.stderr): StatusLine {
  if (!terminal.isTTY) return { show: () => {}, clear: () => {} }
  let shown = false
  return {
    show: (line) => {
      // A wrapped line could not be overwritten.
      const fitting = escapeControls(line).slice(0, (terminal.columns ?? DEFAULT_COLUMNS) - 1)
      terminal.write(CLEAR + fitting)
      shown = true
    },
    clear: () => {
      if (shown) terminal.write(CLEAR)
      shown = false
    },
  }
}
