/** What a long command is at, on one line that is written again and again. */
export type Progress = {
  /** Replaces the line. */
  say(line: string): void
  /** Takes the line away, so that what is printed next begins where it stood. */
  end(): void
}

type Terminal = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const CLEAR = '\r\u001b[2K'
const COLUMNS = 80

/** On a terminal; in a pipe or a file nothing is said. */
export function openProgress(terminal: Terminal = process.stderr): Progress {
  if (!terminal.isTTY) return { say: () => {}, end: () => {} }
  let shown = false
  return {
    say: (line) => {
      // A line that is wrapped could not be taken back.
      const fitting = line.replace(/\p{Cc}+/gu, ' ').slice(0, (terminal.columns ?? COLUMNS) - 1)
      terminal.write(CLEAR + fitting)
      shown = true
    },
    end: () => {
      if (shown) terminal.write(CLEAR)
      shown = false
    },
  }
}
