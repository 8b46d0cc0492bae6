import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../../support/calendar.ts'

/** Returns the file of a calendar with one event of this description. */
async function textOf(description: string) {
  const dates = { start: { date: '2026-07-06' }, end: { date: '2026-07-07' } }
  const events = [{ summary: 'Long', description, ...dates }]
  const { fake } = openCalendar({ seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events }] } })
  return (await fake.request(fake.ical(ALICE).private)).text()
}

const unfold = (text: string) => text.replaceAll('\r\n ', '')

test('a long text is folded at 75 bytes, escaped, and complete', async () => {
  const text = await textOf('Größe, 😀; \\ and\r\nmore\n'.repeat(20_000))

  expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(unfold(text)).toContain(`DESCRIPTION:${'Größe\\, 😀\\; \\\\ and\\nmore\\n'.repeat(20_000)}\r\n`)
})

test('a large file is served completely', async () => {
  const description = 'abcdefghi '.repeat(500_000)
  const text = unfold(await textOf(description))

  expect(text).toContain(`DESCRIPTION:${description}\r\n`)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
})
