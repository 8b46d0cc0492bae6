import { EVENT_FIELDS } from '../../../model/events/fields.ts'
import { expectError, expectMoved, expectOk, expectShape, expectStatus, expectTrue } from '../expect.ts'
import { absent, contains, empty, exactKeys, keysInOrder, text } from '../matchers.ts'
import { type ScenarioGroup, scenario } from '../scenario.ts'

export const events: ScenarioGroup = {
  name: 'events',
  scenarios: [
    scenario('an insert returns 200 and the whole event', '1.8, 3.1, 3.2.2, 3.2.13', async (kit) => {
      const answer = await kit.post(await kit.eventsPath(), { ...kit.hour(9), summary: 'Tea' })
      expectOk(answer, {
        kind: 'calendar#event',
        etag: text,
        status: 'confirmed',
        htmlLink: text,
        summary: 'Tea',
        start: { dateTime: kit.instant(9), timeZone: 'UTC' },
        end: { dateTime: kit.instant(10), timeZone: 'UTC' },
        sequence: 0,
        reminders: { useDefault: true },
        eventType: 'default',
      })
      expectOk(await kit.get(`${await kit.eventsPath()}/${answer.body.id}`), { ...answer.body })
    }),
    scenario('the keys of an event have a fixed order', '3.2.1', async (kit) => {
      const everything = {
        ...{ colorId: '3', transparency: 'transparent', visibility: 'private', guestsCanModify: true },
        ...{
          summary: 'A',
          description: 'B',
          location: 'C',
          guestsCanInviteOthers: false,
          guestsCanSeeOtherGuests: false,
        },
        ...{
          recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
          extendedProperties: { shared: { a: '1' }, private: { b: '2' } },
        },
        ...{ source: { title: 'Here', url: 'https://example.com/' } },
      }
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), ...everything }), keysInOrder(...EVENT_FIELDS))
    }),
    scenario(
      'an id that the service creates has 26 characters, and the iCalUID follows from it',
      '3.2.4',
      async (kit) => {
        const { id, iCalUID } = expectOk(await kit.post(await kit.eventsPath(), kit.hour(9)), { id: /^[0-9a-v]{26}$/ })
        expectTrue(iCalUID === `${id}@google.com`, `the iCalUID of ${id} is ${iCalUID}`)
      },
    ),
    scenario('an id in an insert is kept', '3.2.4, 11.18', async (kit) => {
      const id = await kit.unusedId()
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), id }), { id, iCalUID: `${id}@google.com` })
    }),
    scenario('an iCalUID in an insert is kept, and the id follows from it', '3.2.4, 11.18', async (kit) => {
      const iCalUID = `${await kit.unusedId()}@example.com`
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), iCalUID }), {
        iCalUID,
        id: `_${encodeBase32Hex(iCalUID)}`,
      })
    }),
    scenario('the etag is twice the microseconds of updated', '3.2.6, 3.10', async (kit) => {
      const { etag, updated, created } = expectOk(await kit.post(await kit.eventsPath(), kit.hour(9)), {
        etag: /^"\d+"$/,
        created: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/,
        updated: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      })
      const ms = Math.floor(Number(BigInt(etag.slice(1, -1)) / 2n) / 1000)
      expectTrue(
        ms === Date.parse(updated),
        `the etag ${etag} is of ${new Date(ms).toISOString()}, updated is ${updated}`,
      )
      expectTrue(Date.parse(created) <= Date.parse(updated), `created ${created} is after updated ${updated}`)
    }),
    scenario('fields with an empty or default value are omitted', '3.2.3, 11.6', async (kit) => {
      const plain = {
        ...{
          transparency: 'opaque',
          visibility: 'default',
          guestsCanInviteOthers: true,
          guestsCanSeeOtherGuests: true,
        },
        ...{
          guestsCanModify: false,
          anyoneCanAddSelf: false,
          attendees: [],
          summary: '',
          description: '',
          location: '',
        },
      }
      const answer = await kit.post(await kit.eventsPath(), { ...kit.hour(9), ...plain })
      expectOk(answer, Object.fromEntries(Object.keys(plain).map((name) => [name, absent])))
      expectTrue(!/:\s*(null|"")/.test(answer.text), 'an event is written with null or an empty text')
    }),
    scenario('fields that are read-only or unknown are ignored', '1.9', async (kit) => {
      const body = {
        ...kit.hour(9),
        kind: 'x',
        etag: '"1"',
        created: '2001-01-01T00:00:00Z',
        locked: true,
        nonsense: 1,
      }
      const made = expectOk(await kit.post(await kit.eventsPath(), body), {
        kind: 'calendar#event',
        nonsense: absent,
        locked: absent,
      })
      expectTrue(made.etag !== '"1"' && !made.created.startsWith('2001'), 'stamps of a body were taken')
    }),
    scenario('the organizer of an event is its secondary calendar', '3.2.8, 7.1', async (kit) => {
      const path = await kit.eventsPath()
      const made = await kit.post(path, { ...kit.hour(9), organizer: { email: 'nobody@example.com' } })
      const { summary } = await kit.require(kit.get(path.replace(/\/events$/, '')))
      const email = decodeURIComponent(path.split('/')[2] ?? '')
      expectOk(made, { creator: exactKeys('email'), organizer: { email, displayName: summary, self: true } })
      expectShape(made, made.body.creator, { email: await kit.ownerEmail() })
    }),
    scenario('the link of an event contains the ids of the event and of its calendar', '3.2.5', async (kit) => {
      const path = await kit.eventsPath()
      const { id, htmlLink } = expectOk(await kit.post(path, kit.hour(9)))
      const eid = new URL(htmlLink).searchParams.get('eid') ?? ''
      const calendar = (path.split('/')[2] ?? '').replace(/@group\.calendar\.google\.com$/, '@g')
      expectTrue(/[^=]$/.test(eid), `the link ends in padding: ${htmlLink}`)
      expectTrue(atob(eid) === `${id} ${calendar}`, `the link's eid is ${atob(eid)}`)
    }),
    scenario('an all-day event has only dates, and no reminders by default', '3.2.11, 3.2.10', async (kit) => {
      const body = { start: { date: kit.day(1), timeZone: 'Europe/Berlin' }, end: { date: kit.day(3) } }
      const made = await kit.post(await kit.eventsPath(), body)
      expectOk(made, { start: exactKeys('date'), end: exactKeys('date'), reminders: { useDefault: false } })
      expectShape(made, made.body.end, { date: kit.day(3) })
    }),
    scenario('overrides of reminders are kept', '3.2.10, 12.7', async (kit) => {
      const overrides = [
        { method: 'popup', minutes: 10 },
        { method: 'email', minutes: 60 },
      ]
      const made = await kit.post(await kit.eventsPath(), {
        ...kit.hour(9),
        reminders: { useDefault: false, overrides },
      })
      expectOk(made, { reminders: { useDefault: false, overrides: contains(...overrides) } })
      const none = await kit.post(await kit.eventsPath(), {
        ...kit.hour(9),
        reminders: { useDefault: false, overrides: [] },
      })
      expectOk(none, { reminders: exactKeys('useDefault') })
    }),
    scenario('a timed event may have the length zero', '3.2.11', async (kit) => {
      const time = { dateTime: kit.instant(9), timeZone: 'UTC' }
      expectOk(await kit.post(await kit.eventsPath(), { start: time, end: time }), { start: time, end: time })
    }),
    scenario('a new time raises sequence by one, and a new summary does not', '3.2.7', async (kit) => {
      const path = `${await kit.eventsPath()}/${(await kit.createEvent()).id}`
      expectOk(await kit.patch(path, { summary: 'Other', location: 'There' }), { sequence: 0 })
      expectOk(await kit.patch(path, kit.hour(11)), { sequence: 1 })
    }),
    scenario('an earlier end of a series keeps its sequence, and another rule raises it', '3.2.16', async (kit) => {
      const { id } = await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
      const path = `${await kit.eventsPath()}/${id}`
      expectOk(await kit.patch(path, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }), { sequence: 0 })
      expectOk(await kit.patch(path, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] }), { sequence: 1 })
    }),
    scenario('PUT replaces all fields that a client may write', '3.9.1, 14.8', async (kit) => {
      const made = await kit.createEvent({ summary: 'Old', description: 'Old', colorId: '4', status: 'tentative' })
      const path = `${await kit.eventsPath()}/${made.id}`
      const { iCalUID, created } = made
      const after = { summary: 'New', description: absent, colorId: absent, status: 'confirmed', iCalUID, created }
      expectOk(await kit.put(path, { ...kit.hour(9), summary: 'New' }), after)
      expectOk(await kit.get(path), after)
    }),
    scenario('PATCH merges objects at any depth, and null removes a field', '3.9.2, 3.9.3', async (kit) => {
      const made = await kit.createEvent({
        summary: 'Old',
        location: 'Here',
        extendedProperties: { private: { a: '1', b: '2' } },
      })
      const path = `${await kit.eventsPath()}/${made.id}`
      const merged = {
        location: absent,
        summary: 'Old',
        extendedProperties: { private: { a: absent, b: '2', c: '3' } },
      }
      expectOk(await kit.patch(path, { location: null, extendedProperties: { private: { a: null, c: '3' } } }), merged)
      expectOk(await kit.get(path), merged)
    }),
    scenario('PATCH turns an all-day event into a timed event', '3.9.2', async (kit) => {
      const made = await kit.createEvent(kit.allDay())
      const { start, end } = kit.hour(9)
      const body = { start: { ...start, date: null }, end: { ...end, date: null } }
      expectOk(await kit.patch(`${await kit.eventsPath()}/${made.id}`, body), { start: { ...start, date: absent } })
    }),
    scenario('PUT of equal content changes nothing', '3.9.4, 14.9', async (kit) => {
      const made = await kit.createEvent({ summary: 'Same' })
      const { etag, updated } = made
      const path = `${await kit.eventsPath()}/${made.id}`
      expectOk(await kit.put(path, made), { etag, updated })
      expectOk(await kit.patch(path, {}), { etag, updated })
    }),
    scenario('a write changes etag and updated', '5.1, 3.2.6', async (kit) => {
      const made = await kit.createEvent()
      const write = async (summary: string) =>
        expectOk(await kit.patch(`${await kit.eventsPath()}/${made.id}`, { summary }))
      let after = await write('Other')
      expectTrue(after.etag !== made.etag, 'the etag is as it was')
      // A fast server answers several writes within a millisecond, which is the resolution of `updated`.
      for (let n = 1; n <= 200 && after.updated === made.updated; n++) after = await write(`Other ${n}`)
      expectMoved(made, after)
      expectOk(await kit.get(`${await kit.eventsPath()}/${made.id}`), { etag: after.etag, updated: after.updated })
    }),
    scenario('numbers as strings and colours of the palette are accepted', '3.2.12', async (kit) => {
      const path = `${await kit.eventsPath()}/${(await kit.createEvent({ colorId: '11' })).id}`
      expectOk(await kit.get(path), { colorId: '11', summary: absent })
      expectOk(await kit.patch(path, { colorId: null }), { colorId: absent })
    }),
    scenario('a DELETE is 204 and empty, and the event is cancelled', '2.3, 1.8, 11.7', async (kit) => {
      const made = await kit.createEvent({ summary: 'Gone' })
      const path = `${await kit.eventsPath()}/${made.id}`
      const answer = await kit.delete(path)
      expectStatus(answer, 204)
      expectTrue(answer.text === '', `a 204 has the body ${answer.text}`)
      expectTrue(!answer.headers.has('Content-Type'), 'a 204 says a Content-Type')
      expectOk(await kit.get(path), { id: made.id, status: 'cancelled', summary: 'Gone' })
    }),
    scenario('a DELETE of a deleted event is 410', '2.3, 2.2.4', async (kit) => {
      const path = `${await kit.eventsPath()}/${(await kit.createEvent()).id}`
      await kit.require(kit.delete(path))
      expectError(await kit.delete(path), {
        status: 410,
        reason: 'deleted',
        message: 'Resource has been deleted',
        domain: 'global',
      })
    }),
    scenario('a deleted event is listed only with showDeleted=true', '2.3', async (kit) => {
      const made = await kit.createEvent()
      const path = await kit.eventsPath()
      await kit.require(kit.delete(`${path}/${made.id}`))
      expectOk(await kit.get(path, kit.week()), { items: empty })
      expectOk(await kit.get(path, { ...kit.week(), showDeleted: true }), {
        items: [{ id: made.id, status: 'cancelled' }],
      })
    }),
    scenario('the id of a deleted event cannot be used again', '2.3, 2.2.4', async (kit) => {
      const { id } = await kit.createEvent({ id: await kit.unusedId('a') })
      const path = await kit.eventsPath()
      await kit.require(kit.delete(`${path}/${id}`))
      expectError(await kit.post(path, { ...kit.hour(9), id }), {
        status: 409,
        reason: 'duplicate',
        message: 'The requested identifier already exists.',
      })
    }),
    scenario('PATCH with status confirmed restores a deleted event', '2.3', async (kit) => {
      const { id } = await kit.createEvent({ summary: 'Back' })
      const path = await kit.eventsPath()
      await kit.require(kit.delete(`${path}/${id}`))
      expectOk(await kit.patch(`${path}/${id}`, { status: 'confirmed' }), { status: 'confirmed', summary: 'Back' })
      expectOk(await kit.get(path, kit.week()), { items: [{ id, status: 'confirmed' }] })
    }),
    scenario('PATCH with status cancelled deletes an event', '2.3', async (kit) => {
      const { id } = await kit.createEvent()
      const path = await kit.eventsPath()
      expectOk(await kit.patch(`${path}/${id}`, { status: 'cancelled' }), { id, status: 'cancelled' })
      expectOk(await kit.get(path, kit.week()), { items: empty })
      expectStatus(await kit.delete(`${path}/${id}`), 410)
    }),
    scenario('a deletion raises sequence', '3.2.15', async (kit) => {
      const { id } = await kit.createEvent()
      const path = `${await kit.eventsPath()}/${id}`
      await kit.require(kit.patch(path, kit.hour(11)))
      await kit.require(kit.delete(path))
      expectOk(await kit.get(path), { sequence: 2 })
    }),
  ],
}

const LETTERS = '0123456789abcdefghijklmnopqrstuv'

/** Encodes a text in base32hex, in lower case and without padding. */
function encodeBase32Hex(text: string): string {
  const bits = [...new TextEncoder().encode(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
