import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from './calendar.ts'
import { invalid, NOT_FOUND, needsRole, share } from './sharing.ts'

/** The verb of an update. The tests below apply to both. */
type How = 'patch' | 'put'

const TEAM = {
  summary: 'Team',
  description: 'Us',
  location: 'Here',
  timeZone: 'Europe/Berlin',
  conferenceProperties: { allowedConferenceSolutionTypes: ['eventHangout'] },
}

/** Opens a fake with a secondary calendar of alice. `write` changes the calendar, which `before` is. */
export async function openTeamCalendar(how: How) {
  const { fake, as } = openCalendar()
  const before = (await as(ALICE).post('/calendars', TEAM)).body
  const path = `/calendars/${before.id}`
  const write = (change: unknown, headers = {}) => as(ALICE)[how](path, change, headers)
  return { fake, as, path, before, write }
}

/** Declares the tests of `calendars.patch` or `calendars.update`. */
export function testCalendarWrites(how: How): void {
  test('a write is returned, with another etag', async () => {
    const { as, path, before, write } = await openTeamCalendar(how)

    const reply = await write({ ...TEAM, summary: 'Crew', location: 'There', timeZone: 'Asia/Tokyo' })

    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      ...before,
      etag: reply.body.etag,
      summary: 'Crew',
      location: 'There',
      timeZone: 'Asia/Tokyo',
    })
    expect(Object.keys(reply.body)).toEqual(Object.keys(before))
    expect(reply.body.etag).not.toBe(before.etag)
    expect(reply.headers.get('ETag')).toBe(reply.body.etag)
    expect((await as(ALICE).get(path)).text).toBe(reply.text)
  })

  test('a write without a change changes nothing', async () => {
    const { fake, before, write } = await openTeamCalendar(how)
    const state = fake.state()

    const reply = await write({ ...TEAM, id: 'other', dataOwner: BOB, mood: 'good' })

    expect(reply.body).toEqual(before)
    expect(fake.state()).toEqual(state)
  })

  test('the owner can rename a primary calendar and change its zone', async () => {
    const { as } = openCalendar()

    const { body } = await as(ALICE)[how]('/calendars/primary', { summary: 'Me', timeZone: 'Asia/Tokyo' })

    expect(body).toMatchObject({ id: ALICE, summary: 'Me', timeZone: 'Asia/Tokyo' })
  })

  test.each([
    [{ summary: '' }, invalid('Missing summary', undefined, 'required')],
    [{ summary: null }, invalid('Missing summary', undefined, 'required')],
    [{ summary: ['x'] }, invalid('Invalid value')],
    [{ summary: 'Crew', timeZone: 'Mars/Olympus' }, invalid('Invalid Value: timeZone: no time zone Mars/Olympus')],
    [{ summary: 'x'.repeat(1025) }, invalid('A provided value exceeds the allowed size limit.')],
    [
      { summary: 'Crew', description: 'x'.repeat(8193) },
      invalid('Invalid Value: description: longer than the allowed size limit'),
    ],
    [
      { summary: 'Crew', location: 'x'.repeat(1025) },
      invalid('Invalid Value: location: longer than the allowed size limit'),
    ],
  ])('%j is refused and changes nothing', async (change, expected) => {
    const { fake, write } = await openTeamCalendar(how)
    const before = fake.state()

    expect(errorOf(await write(change))).toEqual(expected)
    expect(fake.state()).toEqual(before)
  })

  test('12.4, 14.23 texts can have the maximum length', async () => {
    const { write } = await openTeamCalendar(how)
    const longest = { summary: 'x'.repeat(1024), description: 'x'.repeat(8192), location: 'x'.repeat(1024) }

    expect((await write(longest)).body).toMatchObject(longest)
  })

  test('15.14 no request can make a calendar accept invitations automatically', async () => {
    const { write } = await openTeamCalendar(how)

    expect((await write({ summary: 'Crew', autoAcceptInvitations: true })).body).not.toHaveProperty(
      'autoAcceptInvitations',
    )
  })

  test('only an owner can write a calendar', async () => {
    const { as, path } = await openTeamCalendar(how)

    expect(errorOf(await as(BOB)[how](path, { summary: 'Mine' }))).toEqual(NOT_FOUND)
    for (const role of ['reader', 'writer']) {
      await share(as(ALICE), path.split('/')[2] ?? '', BOB, role)
      expect(errorOf(await as(BOB)[how](path, { summary: 'Mine' }))).toEqual(needsRole('owner'))
    }
    await share(as(ALICE), path.split('/')[2] ?? '', BOB, 'owner')
    expect((await as(BOB)[how](path, { summary: 'Mine' })).body).toMatchObject({ summary: 'Mine', dataOwner: ALICE })
  })
}
