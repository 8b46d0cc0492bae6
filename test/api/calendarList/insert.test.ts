import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { invalid, newCalendar, share } from '../../support/sharing.ts'

const LIST = '/users/me/calendarList'

async function shared() {
  const opened = openCalendar()
  const id = await newCalendar(opened.as(ALICE))
  await share(opened.as(ALICE), id, BOB, 'reader')
  return { ...opened, id, bob: opened.as(BOB) }
}

test('an insert can set the account’s own fields', async () => {
  const { bob, id } = await shared()

  const { body } = await bob.post(`${LIST}?colorRgbFormat=true`, {
    id,
    summaryOverride: 'Them',
    selected: true,
    backgroundColor: '#0088aa',
    foregroundColor: '#ffffff',
    defaultReminders: [{ method: 'email', minutes: 60 }],
  })

  expect(body).toMatchObject({
    summaryOverride: 'Them',
    selected: true,
    backgroundColor: '#0088aa',
    foregroundColor: '#ffffff',
    defaultReminders: [{ method: 'email', minutes: 60 }],
  })
})

test('1.22 colours by value are ignored without colorRgbFormat, on insert, patch and update', async () => {
  const { bob, id } = await shared()
  const colors = { backgroundColor: '#0088aa', foregroundColor: '#123456' }

  for (const { status, body } of [
    await bob.post(LIST, { id, ...colors }),
    await bob.patch(`${LIST}/${id}`, colors),
    await bob.put(`${LIST}/${id}`, colors),
  ]) {
    expect(status).toBe(200)
    expect(body).not.toMatchObject({ backgroundColor: '#0088aa' })
    expect(body).not.toMatchObject({ foregroundColor: '#123456' })
  }
})

test('a deleted entry is inserted with default fields', async () => {
  const { bob, id } = await shared()
  await bob.post(LIST, { id, summaryOverride: 'Them', colorId: '7', selected: true })
  await bob.delete(`${LIST}/${id}`)

  const { body } = await bob.post(LIST, { id })

  expect(body).not.toHaveProperty('summaryOverride')
  expect(body).not.toHaveProperty('selected')
  expect(body).not.toHaveProperty('deleted')
  expect((await bob.get(LIST)).body.items).toHaveLength(2)
})

test('an insert can hide the entry', async () => {
  const { bob, id } = await shared()

  const reply = await bob.post(LIST, { id, hidden: true })

  expect(reply).toMatchObject({ status: 200, body: { id, hidden: true } })
})

test('an insert cannot hide the account’s primary calendar', async () => {
  const { bob } = await shared()

  expect(errorOf(await bob.post(LIST, { id: BOB, hidden: true }))).toMatchObject({
    status: 403,
    reason: 'cannotChangeOwnPrimarySubscription',
  })
})

test.each([
  [{}, invalid('Missing id.', undefined, 'required')],
  [{ id: {} }, invalid('Invalid value')],
  [{ hidden: 'yes' }, invalid('Invalid value')],
  [{ id: ALICE, colorId: '25' }, invalid('Invalid Value: colorId: no color 25')],
])('%j is refused, and no entry is created', async (body, expected) => {
  const { fake, as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')
  const before = fake.state()

  expect(errorOf(await as(BOB).post(LIST, body))).toEqual(expected)
  expect(fake.state()).toEqual(before)
})
