import { escapeControls } from '../schema/values/shownText.ts'

export type StatusLine = {
  show(line: string): void
  clear(): void
}

type TerminalStream = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const CLEAR = '\r\u001b[2K'
const DEFAULT_COLUMNS = 80

/** Writes nothing to a pipe or a file. */
export function openProgress(terminal: TerminalStream = process.stderr): StatusLine {
  if (!terminal.isTTY) return { show: () => {}, clear: () => {} }
  let shown = false
  return {
    show: (line) => {
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
