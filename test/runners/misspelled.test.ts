import { expect, test } from 'vitest'
import { assertChanged, assertEvent, assertReceived, assertSent } from '../../src/runners/assertions.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

type World = ReturnType<typeof openCalendar>['fake']

/** Assertions that no world can fail, or none can pass, because a name in them is wrong. Each expects nothing where it can. */
const MISTAKES: readonly [string, (fake: World) => void, string][] = [
  [
    'a field',
    (fake) => assertEvent(fake, { sumary: 'Lunch' }, { times: 0 }),
    'event: there is no "sumary"; did you mean "summary"?',
  ],
  [
    'a field of a time',
    (fake) => assertEvent(fake, { start: { datetime: '' } }, { times: 0 }),
    'event.start: there is no "datetime"; did you mean "dateTime"?',
  ],
  [
    'a field of a guest',
    (fake) => assertEvent(fake, { attendees: [{ emial: ALICE }] }, { times: 0 }),
    'event.attendees[0]: there is no "emial"; did you mean "email"?',
  ],
  [
    'a value of an enumeration',
    (fake) => assertEvent(fake, { transparency: 'transparant' }, { times: 0 }),
    'event.transparency: there is no "transparant"; did you mean "transparent"?',
  ],
  [
    'an option',
    (fake) => assertEvent(fake, { summary: 'Lunch' }, { acount: ALICE } as object),
    'filter: there is no "acount"; did you mean "account"?',
  ],
  [
    'a field of a mail',
    (fake) => assertSent(fake, { kindd: 'acl' } as object, { times: 0 }),
    'mail: there is no "kindd"; did you mean "kind"?',
  ],
  [
    'a kind of mail',
    (fake) => assertSent(fake, { kind: 'eventCreated' }, { times: 0 }),
    'mail.kind: there is no "eventCreated"; did you mean "eventCreation"?',
  ],
  [
    'an option of mails',
    (fake) => assertSent(fake, {}, { account: ALICE } as object),
    'filter: there is no "account"; did you mean "times"?',
  ],
  [
    'a field of a change',
    (fake) => assertChanged(fake, [{ kind: 'event' }, { kind: 'event', where: { sumary: '' }, times: 0 }]),
    '[1].where: there is no "sumary"; did you mean "summary"?',
  ],
  [
    'a changed field',
    (fake) => assertChanged(fake, [{ kind: 'event' }, { kind: 'event', fields: { 'strat.date': '' }, times: 0 }]),
    '[1].fields: there is no "strat"; did you mean "start"?',
  ],
  [
    'no number',
    (fake) => assertEvent(fake, { summary: 'Dinner' }, { times: {} }),
    'times: give a number, or min, max or both',
  ],
  [
    'a misspelled limit',
    (fake) => assertEvent(fake, { summary: 'Dinner' }, { times: { mni: 1 } as object }),
    'times: give a number, or min, max or both',
  ],
  [
    'a text for a number',
    (fake) => assertEvent(fake, { summary: 'Dinner' }, { times: '1' as unknown as number }),
    'times: give a number, or min, max or both',
  ],
  [
    'a text for a number of calls',
    (fake) => assertReceived(fake, 'events.insert', {}, { times: '0' as unknown as number }),
    'times',
  ],
]

test.each(MISTAKES)(
  'an assertion with %s that does not exist throws, and names the nearest',
  async (_, assert, message) => {
    const { fake, as } = openCalendar()
    await as(ALICE).post('/calendars/primary/events', {
      ...{ summary: 'Lunch', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } },
    })

    expect(() => assert(fake)).toThrow(RangeError)
    expect(() => assert(fake)).toThrow(message)
  },
)

test('equal elements of an expected list are expected as often as they are listed', async () => {
  const { fake, as } = openCalendar()
  const popup = (minutes: number) => ({ method: 'popup', minutes })
  await as(ALICE).post('/calendars/primary/events', {
    ...{ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } },
    reminders: { useDefault: false, overrides: [popup(10), popup(20)] },
  })
  const expectReminders = (...overrides: object[]) => assertEvent(fake, { reminders: { overrides } })

  expectReminders({ method: 'popup' }, { method: 'popup' })
  expect(() => expectReminders({ method: 'popup' }, { method: 'popup' }, { method: 'popup' })).toThrow('overrides[]')
  expectReminders(popup(20))
  expect(() => expectReminders(popup(20), popup(20))).toThrow('overrides[]')
})
