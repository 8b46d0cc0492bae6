import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EXIT_GRACE_MS, exitOnSignal } from '../../src/cli/exitOnSignal.ts'

/** Stands in for the process: it receives signals and records its exits. */
function startProcess(close: () => Promise<unknown>) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const exit = vi.fn()
  const ending = Object.assign(new EventEmitter(), { exit })
  exitOnSignal(['SIGTERM', 'SIGINT'], close, undefined, ending as never)
  return { ending, exit }
}

test.each(['SIGTERM', 'SIGINT'])('%s ends the process when the server has ended', async (signal) => {
  const { ending, exit } = startProcess(() => Promise.resolve())
  expect(exit).not.toHaveBeenCalled()
  ending.emit(signal)
  await vi.advanceTimersByTimeAsync(0)

  expect(exit.mock.calls).toEqual([[0]])
})

test('a signal ends the process within two seconds if the server does not end', async () => {
  const { ending, exit } = startProcess(() => new Promise(() => {}))
  ending.emit('SIGTERM')
  await vi.advanceTimersByTimeAsync(EXIT_GRACE_MS - 1)
  expect(exit).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)

  expect(exit.mock.calls).toEqual([[0]])
  expect(EXIT_GRACE_MS).toBeLessThan(2000)
})

test('a signal ends the process if the server fails to end', async () => {
  const { ending, exit } = startProcess(() => Promise.reject(new Error('a socket')))
  ending.emit('SIGTERM')
  await vi.advanceTimersByTimeAsync(0)

  expect(exit.mock.calls).toEqual([[0]])
})

test('a second signal is not handled, so that it ends the process at once', () => {
  const { ending } = startProcess(() => new Promise(() => {}))
  ending.emit('SIGTERM')

  expect(ending.listenerCount('SIGTERM')).toBe(0)
})
