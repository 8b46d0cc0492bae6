import { expect, test } from 'vitest'
import { ALICE, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const V1 = '?eventLabelVersion=1'
const RED = '11111111-2222-4333-8444-555555555555'
const BLUE = '11111111-2222-4333-8444-666666666666'
const labels = (...eventLabels: object[]) => ({ labelProperties: { eventLabels } })

/** Opens a fake in which alice's calendar has a red and a blue label. */
async function openWithLabels() {
  const alice = openCalendar().as(ALICE)
  await alice.patch(
    '/calendars/primary',
    labels(
      { id: RED, name: 'Red', backgroundColor: '#ff0000' },
      { id: BLUE, name: 'Blue', backgroundColor: '#0000ff' },
    ),
  )
  return alice
}

test('Event.eventLabelId: written, read back, patched, cleared', async () => {
  const alice = await openWithLabels()
  const { body: born } = await alice.post(EVENTS + V1, { ...hour('2026-03-02', 12), eventLabelId: RED })
  const path = `${EVENTS}/${born.id}`
  expect((await alice.get(path)).body.eventLabelId).toBe(RED)
  expect((await alice.patch(path + V1, { eventLabelId: BLUE })).body.eventLabelId).toBe(BLUE)
  expect((await alice.patch(path + V1, { eventLabelId: null })).body).not.toHaveProperty('eventLabelId')
  const unknown = errorOf(await alice.patch(path + V1, { eventLabelId: 'green' }))
  expect(unknown).toMatchObject({
    status: 400,
    message: 'Invalid Value: eventLabelId: the calendar has no label green',
  })
})

test('1.22 Event.eventLabelId: without eventLabelVersion a request neither sets nor removes a label', async () => {
  const alice = await openWithLabels()
  const noon = hour('2026-03-02', 12)
  expect((await alice.post(EVENTS, { ...noon, eventLabelId: RED })).body).not.toHaveProperty('eventLabelId')
  const { body: born } = await alice.post(EVENTS + V1, { ...noon, eventLabelId: RED })
  const path = `${EVENTS}/${born.id}`
  expect((await alice.patch(path, { eventLabelId: BLUE })).body.eventLabelId).toBe(RED)
  expect((await alice.put(path, noon)).body.eventLabelId).toBe(RED)
  expect((await alice.put(path + V1, noon)).body).not.toHaveProperty('eventLabelId')
})

test('3.2.18 an event with a color has the label of that color, and one with its own label has no color', async () => {
  const alice = openCalendar().as(ALICE)
  const noon = hour('2026-03-02', 12)
  const { body: plain } = await alice.post(EVENTS, { ...noon, colorId: '8' })
  expect(plain).not.toHaveProperty('eventLabelId')
  const given = [
    { id: RED, name: 'Own', backgroundColor: '#7c54c0' },
    { id: BLUE, name: 'Graphite', backgroundColor: '#616161' },
  ]
  const calendar = await alice.patch('/calendars/primary', labels(...given))
  expect(calendar.body.labelProperties.eventLabels.map(Object.keys)).toEqual([
    ['id', 'backgroundColor', 'name'],
    ['id', 'backgroundColor', 'name'],
  ])

  const path = `${EVENTS}/${plain.id}`
  const { body: colored } = await alice.get(path)
  expect([colored.colorId, colored.eventLabelId]).toEqual(['8', BLUE])
  expect((await alice.get(EVENTS)).body.items).toEqual([colored])
  expect(Object.keys(colored).join()).toContain(',colorId,eventLabelId,creator,')
  const shown = async (query: string, body: object) => {
    const { body: event } = await alice.patch(path + query, body)
    return [event.colorId, event.eventLabelId]
  }
  expect(await shown('', { colorId: '1' })).toEqual(['1', undefined])
  expect(await shown(V1, { eventLabelId: RED })).toEqual([undefined, RED])
  expect(await shown('', { summary: 'Lunch' })).toEqual([undefined, RED])
  expect(await shown(V1, { eventLabelId: BLUE })).toEqual(['8', BLUE])
  expect(await shown('', { colorId: '2' })).toEqual(['2', undefined])
})

test('an event keeps its label when the calendar drops it', async () => {
  const alice = await openWithLabels()
  const { body: born } = await alice.post(EVENTS + V1, { ...hour('2026-03-02', 12), eventLabelId: RED })
  await alice.patch('/calendars/primary', { labelProperties: null })
  expect((await alice.patch(`${EVENTS}/${born.id}${V1}`, { summary: 'Lunch' })).body.eventLabelId).toBe(RED)
})

test('12.9 a label without an id gets one', async () => {
  const alice = openCalendar().as(ALICE)
  const { body } = await alice.post('/calendars', {
    summary: 'Team',
    ...labels({ name: 'Red', backgroundColor: '#ff0000' }),
  })
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(body.labelProperties.eventLabels).toEqual([
    { id: expect.stringMatching(uuid), backgroundColor: '#ff0000', name: 'Red' },
  ])
})

const AT = 'labelProperties.eventLabels'
const BAD: [title: string, body: object, problem: string][] = [
  ['201 labels', labels(...Array.from({ length: 201 }, () => ({ name: 'x' }))), `${AT}: more than 200 labels`],
  ['a name of 51 characters', labels({ name: 'x'.repeat(51) }), `${AT}[0].name: longer than 50 characters`],
  ['an id that is not a UUID', labels({ id: 'red' }), `${AT}[0].id: not a UUID`],
  ...['red', '#00ff00ff', 'a#00ff00'].map((backgroundColor): (typeof BAD)[number] => [
    `the color ${backgroundColor}`,
    labels({ backgroundColor }),
    `${AT}[0].backgroundColor: not a color such as #0088aa`,
  ]),
  [
    'one id twice',
    labels({ id: RED, backgroundColor: '#ff0000' }, { id: RED, backgroundColor: '#ff0000' }),
    `${AT}: one id for two labels`,
  ],
]

test('3.2.18.1, 3.9.1 a PUT without labels leaves them, an empty list clears them, and a label needs a color', async () => {
  const alice = await openWithLabels()
  const path = '/calendars/primary'
  const { labelProperties } = (await alice.get(path)).body
  for (const body of [{ summary: 'Alice' }, { summary: 'Alice', labelProperties: null }])
    expect((await alice.put(path, body)).body.labelProperties).toEqual(labelProperties)
  const green = { id: RED, backgroundColor: '#00ff00', name: 'Green' }
  expect((await alice.put(path, { summary: 'Alice', ...labels(green) })).body.labelProperties).toEqual({
    eventLabels: [green],
  })
  expect(errorOf(await alice.put(path, { summary: 'Alice', ...labels({ name: 'Red' }) }))).toEqual({
    ...{ status: 400, domain: 'global', reason: 'required', message: 'Missing backgroundColor.' },
  })
  expect((await alice.put(path, { summary: 'Alice', ...labels() })).body).not.toHaveProperty('labelProperties')
})

test.each(BAD)('12.9 %s are refused', async (_, body, problem) => {
  const alice = openCalendar().as(ALICE)
  const { body: before } = await alice.get('/calendars/primary')
  const refused = errorOf(await alice.patch('/calendars/primary', body))
  expect(refused).toMatchObject({ status: 400, reason: 'invalid', message: `Invalid Value: ${problem}` })
  expect((await alice.get('/calendars/primary')).body).toEqual(before)
})
