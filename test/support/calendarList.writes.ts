import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from './calendar.ts'
import { invalid, NOT_FOUND, newCalendar, share } from './sharing.ts'

/** The verb of an update. The tests below apply to both. */
type How = 'patch' | 'put'

export const LIST = '/users/me/calendarList'

/** Opens a fake with a secondary calendar of alice. `write` changes its entry on her list; `before` is the entry. */
export async function openListed(how: How) {
  const { fake, as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  const { body } = await as(ALICE).get(`${LIST}/${id}`)
  const write = (change: unknown, query = '', headers = {}) => as(ALICE)[how](`${LIST}/${id}${query}`, change, headers)
  return { fake, as, id, before: body, write }
}

/** Declares the tests of `calendarList.patch` or `calendarList.update`. */
export function testEntryWrites(how: How): void {
  test.each([
    [{ summaryOverride: 'Ours' }, { summaryOverride: 'Ours' }],
    [{ colorId: '9' }, { colorId: '9', backgroundColor: '#7bd148', foregroundColor: '#000000' }],
    [{ hidden: true }, { hidden: true }],
    [{ defaultReminders: [{ method: 'popup', minutes: 0 }] }, { defaultReminders: [{ method: 'popup', minutes: 0 }] }],
    [
      {
        defaultReminders: [
          { method: 'sms', minutes: 5 },
          { method: 'email', minutes: 40320 },
        ],
      },
      { defaultReminders: [{ method: 'email', minutes: 40320 }] },
    ],
    [
      {
        notificationSettings: {
          notifications: [
            { type: 'agenda', method: 'email' },
            { type: 'agenda', method: 'sms' },
          ],
        },
      },
      { notificationSettings: { notifications: [{ type: 'agenda', method: 'email' }] } },
    ],
  ])('%j is stored', async (change, expected) => {
    const { as, id, before, write } = await openListed(how)

    const reply = await write(change)

    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject(expected)
    expect(reply.body.etag > before.etag).toBe(true)
    expect(reply.headers.get('ETag')).toBe(reply.body.etag)
    expect((await as(ALICE).get(`${LIST}/${id}`)).text).toBe(reply.text)
  })

  test('3.5.1 a hidden calendar is not selected', async () => {
    const { write } = await openListed(how)

    const { body } = await write({ hidden: true, selected: true })

    expect(body.hidden).toBe(true)
    expect(body).not.toHaveProperty('selected')
  })

  test('1.22, 3.5.3 colours by value are ignored without colorRgbFormat', async () => {
    const { before, write } = await openListed(how)

    const { body } = await write({ selected: true, backgroundColor: '#0088aa', foregroundColor: '#ffffff' })

    expect(body).toEqual(before)
  })

  test('1.22, 3.5.3 a colour by value stays when the entry is written with the colorId that it is returned with', async () => {
    const { write } = await openListed(how)
    const rgb = { backgroundColor: '#0088aa', foregroundColor: '#ffffff' }
    const { colorId } = (await write(rgb, '?colorRgbFormat=true')).body

    expect((await write({ colorId, selected: true })).body).toMatchObject({ colorId, ...rgb })
  })

  test.each(['backgroundColor', 'foregroundColor'])('the %s colour can be written alone', async (one) => {
    const { before, write } = await openListed(how)

    const { body } = await write({ [one]: '#0088aa' }, '?colorRgbFormat=true')

    const { backgroundColor, foregroundColor } = before
    expect(body).toMatchObject({ backgroundColor, foregroundColor, [one]: '#0088aa' })
  })

  test('notification settings without a list select no mail', async () => {
    const { write } = await openListed(how)

    const reply = await write({ notificationSettings: {}, selected: true })

    expect(reply.status).toBe(200)
    expect(reply.body).not.toHaveProperty('notificationSettings')
  })

  test.each([
    ['#7bd148', '9'],
    ['#7ad047', '9'],
    ['#000000', '8'],
    ['#A47AE2', '24'],
  ])('the colour %s is stored unchanged, with the nearest colorId of the palette', async (backgroundColor, colorId) => {
    const { write } = await openListed(how)

    const { body } = await write({ backgroundColor, foregroundColor: '#ffffff' }, '?colorRgbFormat=true')

    expect(body).toMatchObject({ colorId, backgroundColor, foregroundColor: '#ffffff' })
  })

  test('the fields of the calendar cannot be written in an entry', async () => {
    const { before, write } = await openListed(how)

    const { body } = await write({
      selected: true,
      summary: 'Mine',
      accessRole: 'reader',
      primary: true,
      deleted: true,
    })

    expect(body).toEqual(before)
  })

  test('a write without a change keeps the etag, and the next sync is empty', async () => {
    const { as, before, write } = await openListed(how)
    const { nextSyncToken } = (await as(ALICE).get(LIST)).body

    const reply = await write({ selected: true, colorId: before.colorId })

    expect(reply.body).toEqual(before)
    const sync = await as(ALICE).get(`${LIST}?syncToken=${encodeURIComponent(nextSyncToken)}`)
    expect(sync.body.items).toEqual([])
  })

  const wrong = (field: string, problem: string) => invalid(`Invalid Value: ${field}: ${problem}`)

  test.each([
    [{ colorId: '25' }, wrong('colorId', 'no color 25')],
    ...['a#0088aa', '#0088aaff'].map((backgroundColor): [object, object] => [
      { backgroundColor },
      wrong('backgroundColor', `${backgroundColor} is not a color such as #0088aa`),
    ]),
    [{ backgroundColor: 'red' }, wrong('backgroundColor', 'red is not a color such as #0088aa')],
    [{ foregroundColor: '#fff' }, wrong('foregroundColor', '#fff is not a color such as #0088aa')],
    [{ selected: 'true' }, invalid('Invalid value')],
    [{ summaryOverride: {} }, invalid('Invalid value')],
    [{ defaultReminders: {} }, invalid('Invalid value')],
    [
      { defaultReminders: [{ method: 'popup', minutes: 40321 }] },
      wrong('defaultReminders', 'minutes must be 0 to 40320'),
    ],
    [{ defaultReminders: [{ method: 'popup', minutes: -1 }] }, wrong('defaultReminders', 'minutes must be 0 to 40320')],
    [{ defaultReminders: [{ method: 'popup' }] }, wrong('defaultReminders', 'minutes must be 0 to 40320')],
    [{ defaultReminders: [{ method: 'pigeon', minutes: 1 }] }, wrong('defaultReminders', 'no reminder method pigeon')],
    [
      { defaultReminders: Array.from({ length: 6 }, (_, minutes) => ({ method: 'popup', minutes })) },
      wrong('defaultReminders', 'more than 5 reminders'),
    ],
    [
      { notificationSettings: { notifications: [{ type: 'eventParty', method: 'email' }] } },
      wrong('notificationSettings', 'no notification eventParty by email'),
    ],
    [
      { notificationSettings: { notifications: [{ type: 'agenda', method: 'popup' }] } },
      wrong('notificationSettings', 'no notification agenda by popup'),
    ],
    [
      { notificationSettings: { notifications: [{ method: 'email' }] } },
      wrong('notificationSettings', 'no notification undefined by email'),
    ],
  ])('%j is refused and changes nothing', async (change, expected) => {
    const { as, id, before, write } = await openListed(how)

    expect(errorOf(await write({ hidden: true, ...change }, '?colorRgbFormat=true'))).toEqual(expected)
    expect((await as(ALICE).get(`${LIST}/${id}`)).body).toEqual(before)
  })

  test('an account cannot hide its primary calendar', async () => {
    const { as } = await openListed(how)

    expect(errorOf(await as(ALICE)[how](`${LIST}/${ALICE}`, { hidden: true }))).toEqual({
      status: 403,
      domain: 'calendar',
      reason: 'cannotChangeOwnPrimarySubscription',
      message: 'Cannot change the subscription to your own primary calendar.',
    })
  })

  test('a readable calendar without an entry is 404', async () => {
    const { as, id } = await openListed(how)
    await share(as(ALICE), id, BOB, 'reader')

    expect(errorOf(await as(BOB)[how](`${LIST}/${id}`, { selected: true }))).toEqual(NOT_FOUND)
  })

  test('the settings of an entry belong to one account', async () => {
    const { as, id, write } = await openListed(how)
    await share(as(ALICE), id, BOB, 'reader')
    const before = await as(BOB).post(LIST, { id })

    await write({ summaryOverride: 'Mine', hidden: true })

    expect((await as(BOB).get(`${LIST}/${id}`)).text).toBe(before.text)
  })

  test('colorRgbFormat must be true or false', async () => {
    const { write } = await openListed(how)

    expect(errorOf(await write({}, '?colorRgbFormat=2'))).toEqual(
      invalid("Invalid boolean value: '2'.", 'colorRgbFormat', 'invalidParameter'),
    )
  })
}
