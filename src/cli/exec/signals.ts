import { constants } from 'node:os'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/**
 * Passes the signals of this process to a command, from its construction to `close`. Earlier signals are kept until the command
 * is started.
 */
export class SignalForwarder {
  readonly #early: NodeJS.Signals[] = []
  #forward: (signal: NodeJS.Signals) => void = (signal) => void this.#early.push(signal)
  readonly #onSignal = (signal: NodeJS.Signals) => this.#forward(signal)

  constructor() {
    for (const signal of FORWARDED) process.on(signal, this.#onSignal)
  }

  /** SIGUSR2 does not count. */
  get earlyExitCode(): number | undefined {
    const first = this.#early.find((signal) => signal !== 'SIGUSR2')
    return first && 128 + constants.signals[first]
  }

  forwardTo(forward: (signal: NodeJS.Signals) => void): void {
    this.#forward = forward
    for (const signal of this.#early.splice(0)) forward(signal)
  }

  close(): void {
    for (const signal of FORWARDED) process.off(signal, this.#onSignal)
  }
}
