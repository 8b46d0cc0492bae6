import { expect, onTestFinished, test, vi } from 'vitest'
import { runAgent } from '../../../src/cli/evaluation/runAgent.ts'
import type { AgentAttempt } from '../../../src/control/types/attempts.ts'

async function run(command: string, isConversation?: true) {
  const said: string[] = []
  const attempt = {
    ...{ rest: '', mcp: '', token: 't', account: 'a@example.com', now: '', prompt: 'Do it.', isConversation },
    signal: new AbortController().signal,
    say: async (text: string) => String(said.push(text)),
  } as unknown as AgentAttempt
  const stop = new AbortController().signal
  const { work } = await runAgent(command, attempt, { stop, passesErrors: false, canRun: () => true })
  return { answer: work.answer, said }
}

/** Counts the parsed lines of the agents below. Others in this process parse JSON as well. */
const countLines = ({ mock }: { mock: { calls: [text: string, ...unknown[]][] } }) =>
  mock.calls.filter(([text]) => /^\{(?:x|y|"agent")/.test(text)).length

test('lines of an agent that cannot be turns are not parsed', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const turn = JSON.stringify({ agent: 'a\u2028b' })
  const { answer, said } = await run(
    `yes '{x' | head -n 20000; printf '%s\\n' '${turn}'; yes '{y' | head -n 20000`,
    true,
  )

  expect([answer, said]).toEqual(['a\u2028b', ['a\u2028b']])
  expect(countLines(parse)).toBe(1)
})

test('an agent has at most 100,000 turns', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  await run(`yes '{"agent"' | head -n 150000`, true)

  expect(countLines(parse)).toBe(100_000)
})

test('the output of an agent is copied up to its first million characters', async () => {
  const slice = vi.spyOn(String.prototype, 'slice')
  onTestFinished(() => slice.mockRestore())
  const { answer } = await run("head -c 6000000 /dev/zero | tr '\\0' y")
  const copies = slice.mock.results.filter(({ value }) => value.length >= 1_000_000)

  expect(answer).toHaveLength(1_000_000)
  expect(copies.length).toBeLessThan(10)
})
