import { escapeControls } from './output.ts'

/** The status line of a long command, which is overwritten. */
export type StatusLine = {
  /** Replaces the line. */
  say(line: string): void
  /** Removes the line, so that the next output starts there. */
  end(): void
}

type TerminalStream = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const CLEAR = '\r\u001b[2K'
const COLUMNS = 80

/** Opens a status line on a terminal. A pipe or a file gets nothing. */
export function openProgress(terminal: TerminalStream = process.stderr): StatusLine {
  if (!terminal.isTTY) return { say: () => {}, end: () => {} }
  let shown = false
  return {
    say: (line) => {
      // A wrapped line could not be overwritten.
      const fitting = escapeControls(line).slice(0, (terminal.columns ?? COLUMNS) - 1)
      terminal.write(CLEAR + fitting)
      shown = true
    },
    end: () => {
      if (shown) terminal.write(CLEAR)
      shown = false
    },
  }
}
