import { expect, test } from 'vitest'
import { formatPath } from '../../src/schema/values/issues.ts'
import { findSeedProblems } from '../../src/seeds/problems.ts'

const day = { start: { date: '2026-03-05' }, end: { date: '2026-03-06' } }

test('problems of the schema come first, and then those of applying the seed', () => {
  const createSeed = (unknown: object) => ({
    accounts: [{ email: 'ann@example.com' }],
    calendars: [
      {
        id: 'ann@example.com',
        events: [
          { id: 'abcde1', ...unknown, start: { date: '2026-03-05' }, end: { date: '2026-03-02' } },
          { id: 'abcde2', ...unknown, colorId: '99', ...day },
          { id: 'abcde3', ...unknown, ...day, recurrence: ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'] },
        ],
      },
      { id: 'c_x@group.calendar.google.com', summary: 'X', owner: 'nobody@example.com' },
    ],
  })

  const list = (seed: object) => findSeedProblems(seed).map(({ path, problem }) => `${formatPath(path)}: ${problem}`)

  expect(list(createSeed({ nonsense: 1 }))).toEqual(
    [0, 1, 2].map((at) => `calendars[0].events[${at}].nonsense: Unrecognized key: "nonsense"`),
  )
  expect(list(createSeed({})).sort()).toEqual([
    'calendars[0].events[0]: The specified time range is empty.',
    'calendars[0].events[1]: Invalid value for: colorId: no color 99',
    'calendars[0].events[2].recurrence[0]: the rule never fires: RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    expect.stringMatching(/^calendars\[1\].*nobody@example\.com/),
  ])
})
