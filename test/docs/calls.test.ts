import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { pages } from '../support/pages.ts'

/** A call of a fake in the prose of a page: its path, its arguments, and what runs both. */
type ProseCall = { page: string; code: string; path: string; input: string }

const calls: ProseCall[] = pages.flatMap((page) => {
  const prose = readFileSync(page, 'utf8').replace(/^```.*?^```$/gms, '')
  const matches = prose.matchAll(/`(?:await )?(fake\.([\w.]+)\(([^`…]*)\))`/g)
  return [...matches].map(([, code = '', path = '', input = '']) => ({ page, code, path, input }))
})

const memberOf = (fake: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], fake)

test('each call of a fake in the prose of the pages is a function of a fake', () => {
  const fake = createFakeCalendar()
  const misnamed = calls.filter(({ path }) => typeof memberOf(fake, path) !== 'function')

  expect(misnamed).toEqual([])
  expect(calls.length).toBeGreaterThan(100)
})

/** Calls whose arguments are values. `until` would wait, and a ReferenceError marks a placeholder. */
const complete = calls.filter(({ path, input }) => !/^(\)|$)/.test(input) && !/until$|^(listen|ui|mcp)$/.test(path))

test.each(complete)('a fake accepts $code of $page', async ({ code }) => {
  const fake = createFakeCalendar({ now: '2026-03-02T09:00:00Z' })
  fake.fork(fake.snapshot('before'), 'attempt-1')
  try {
    await new Function('fake', `return ${code}`)(fake)
  } catch (error) {
    expect(error).toBeInstanceOf(ReferenceError)
  } finally {
    await fake.close()
  }
})
