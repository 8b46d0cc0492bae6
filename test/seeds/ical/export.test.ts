import { expect, test } from 'vitest'
import { formatLines } from '../../../src/seeds/ical/writing/text.ts'
import { ALICE, openCalendar } from '../../support/calendar.ts'

const unfold = (text: string) => text.replaceAll('\r\n ', '')

test('a long line is written in bounded chunks, folded at 75 bytes, and complete', () => {
  const text = 'Größe, 😀; \\ and\r\nmore\n'.repeat(20_000)
  const chunks = [...formatLines(['BEGIN:X', { name: 'DESCRIPTION', text }, 'END:X'])]
  const all = chunks.join('')

  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(150_000)
  expect(Math.max(...all.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  const escaped = 'Größe\\, 😀\\; \\\\ and\\nmore\\n'.repeat(20_000)
  expect(unfold(all)).toBe(`BEGIN:X\r\nDESCRIPTION:${escaped}\r\nEND:X\r\n`)
})

test('chunks are created one at a time: the first chunk of a line of 50 MB needs no copy of the line', () => {
  const [first] = formatLines([{ name: 'DESCRIPTION', text: 'x'.repeat(50_000_000) }])

  expect(first?.length).toBeLessThan(150_000)
})

test('a large file is served completely', async () => {
  const description = 'abcdefghi '.repeat(500_000)
  const { fake } = openCalendar({
    seed: {
      accounts: [{ email: ALICE }],
      calendars: [
        {
          id: ALICE,
          events: [{ summary: 'Long', description, start: { date: '2026-07-06' }, end: { date: '2026-07-07' } }],
        },
      ],
    },
  })
  const text = unfold(await (await fake.request(fake.ical(ALICE).private)).text())

  expect(text).toContain(`DESCRIPTION:${description}\r\n`)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
})
