import { expect, test } from 'vitest'
import { createFakeCalendar, playStory, type Story } from '../../src/index.ts'
import { readStory } from '../../src/seeds/story.ts'
import { clientOf } from '../support/calendar.ts'

/** A Sunday, a leap day, a day on which clocks change, a holiday, and Sunday evening in New York. */
const MOMENTS = [
  ...['2026-06-14T22:00:00Z', '2028-02-29T12:00:00Z', '2026-03-29T12:00:00Z', '2026-12-31T20:00:00Z'],
  '2026-06-15T03:00:00Z',
]

const open = (now: string) => {
  const fake = createFakeCalendar({ seed: 'company', now })
  return { fake, as: (email: string) => clientOf(fake.request, { Authorization: `Bearer ${email}` }) }
}
const LAUNCH = '/calendars/primary/events/nightmaplaunch'
const answerOf = (event: { attendees: { email: string; responseStatus: string }[] }, part: string) =>
  event.attendees.find(({ email }) => email.includes(part))?.responseStatus

test.each(MOMENTS)('the story can be played in the week of %s', async (now) => {
  const { fake } = open(now)
  const titles: string[] = []

  await playStory(fake, 'company', { onStep: ({ title }) => void titles.push(title) })

  expect(titles).toEqual(readStory('company').steps.map(({ title }) => title))
  expect(fake.clock.state()).toMatchObject({ mode: 'frozen' })
})

test('an invitation arrives by mail, one guest declines, and the video call becomes ready', async () => {
  const { fake, as } = open('2026-06-10T12:00:00Z')

  await playStory(fake, 'company')

  const { body } = await as('sofia@lumen.example.com').get(LAUNCH)
  expect([answerOf(body, 'yusuf'), answerOf(body, 'lena'), answerOf(body, 'haruto')]).toEqual([
    'declined',
    'accepted',
    'needsAction',
  ])
  expect(body.conferenceData.createRequest.status.statusCode).toBe('success')
  expect(fake.mail('haruto@lumen.example.com').map(({ kind }) => kind)).toContain('eventCreation')
  expect(fake.mail('sofia@lumen.example.com').map(({ kind }) => kind)).toContain('reminder')
  expect(fake.channels().map(({ id }) => id)).toEqual(['lena-phone'])
})

test('the room declines the second meeting, and accepts it after it has moved', async () => {
  const { fake, as } = open('2026-06-10T12:00:00Z')
  const statuses = new Map<string, string | undefined>()

  await playStory(fake, 'company', {
    onStep: async ({ title }) => {
      const { status, body } = await as('felix@lumen.example.com').get('/calendars/primary/events/apilimits')
      if (status === 200) statuses.set(title, answerOf(body, 'havel'))
    },
  })

  const answers = [...new Set(statuses.values())]
  expect(answers).toEqual(['declined', 'accepted'])
})

test('the planning series moves by half an hour', async () => {
  const { fake } = open('2026-06-10T12:00:00Z')
  const startOf = (state: ReturnType<typeof fake.state>) =>
    state.calendars?.flatMap(({ events = [] }) => events).find(({ id }) => id === 'planningengineering')?.start
      ?.dateTime
  const before = startOf(fake.state())

  await playStory(fake, 'company')

  expect([before?.slice(11, 16), startOf(fake.state())?.slice(11, 16)]).toEqual(['12:00', '12:30'])
})

test('a failing step is named', async () => {
  const fake = createFakeCalendar({ now: '2026-06-10T12:00:00Z' })

  await expect(playStory(fake, 'company')).rejects.toThrow(/^A day at Lumen, 1\d:\d\d, /)
})

test('a signal ends the story after the running step', async () => {
  const { fake } = open('2026-06-10T12:00:00Z')
  const controller = new AbortController()
  let steps = 0

  await playStory(fake, 'company', {
    signal: controller.signal,
    onStep: () => {
      steps++
      controller.abort()
    },
  })

  expect(steps).toBe(1)
})

test('answers of guests are mailed to the organizer', async () => {
  const { fake } = open('2026-06-10T12:00:00Z')

  await playStory(fake, 'company')

  const responses = fake.mail('sofia@lumen.example.com').filter(({ eventId }) => eventId === 'nightmaplaunch')
  expect(responses.filter(({ kind }) => kind === 'eventResponse')).toMatchObject([
    { from: 'yusuf@lumen.example.com', responseStatus: 'declined' },
    { from: 'lena@lumen.example.com', responseStatus: 'accepted' },
  ])
})

test('a story can be data of the caller, and its dates move with the world', async () => {
  const fake = createFakeCalendar({ now: '2026-06-10T12:00:00Z' })
  const story: Story = {
    ...{ title: 'Lunch', anchor: '2026-01-05', weekZone: 'UTC', date: '2026-01-09', timeZone: 'Europe/Berlin' },
    steps: [
      {
        ...{ at: '09:00', title: 'Alice books lunch', account: 'alice@example.com' },
        request: 'POST /calendars/primary/events',
        body: { summary: 'Lunch', start: { date: '2026-01-09' }, end: { date: '2026-01-10' } },
      },
    ],
  }

  await playStory(fake, story)

  expect(fake.clock.state().now).toBe('2026-06-12T07:00:00.000Z')
  expect(fake.state().calendars?.[0]?.events).toMatchObject([{ summary: 'Lunch', start: { date: '2026-06-12' } }])
})
