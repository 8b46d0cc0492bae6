import { expect, test } from 'vitest'
import { formatPath } from '../../src/schema/values/issues.ts'
import { findSeedProblems } from '../../src/seeds/problems.ts'

const day = { start: { date: '2026-03-05' }, end: { date: '2026-03-06' } }

test('an unknown key does not hide other problems of its record', () => {
  const found = findSeedProblems({
    accounts: [{ email: 'ann@example.com' }],
    calendars: [
      {
        id: 'ann@example.com',
        events: [
          { id: 'abcde1', nonsense: 1, start: { date: '2026-03-05' }, end: { date: '2026-03-02' } },
          { id: 'abcde2', nonsense: 1, colorId: '99', ...day },
          { id: 'abcde3', nonsense: 1, ...day, recurrence: ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'] },
        ],
      },
      { id: 'c_x@group.calendar.google.com', summary: 'X', owner: 'nobody@example.com', more: true },
    ],
  })

  expect(found.map(({ path, problem }) => `${formatPath(path)}: ${problem}`).sort()).toEqual([
    'calendars[0].events[0].nonsense: there is no "nonsense"; did you mean "sequence"?',
    'calendars[0].events[0]: The specified time range is empty.',
    'calendars[0].events[1].nonsense: there is no "nonsense"; did you mean "sequence"?',
    'calendars[0].events[1]: Invalid value for: colorId: no color 99',
    'calendars[0].events[2].nonsense: there is no "nonsense"; did you mean "sequence"?',
    'calendars[0].events[2].recurrence[0]: the rule never fires: RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'calendars[1].more: there is no "more"; there are summary, description, location, timeZone, conferenceProperties, labelProperties, workingHours, kind, etag, id, dataOwner, autoAcceptInvitations, owner, client, deleted, acl, events',
    expect.stringMatching(/^calendars\[1\].*nobody@example\.com/),
  ])
})
