import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { playDay, StoryPlayer } from '../../src/cli/playDay.ts'
import { createFakeCalendar } from '../../src/index.ts'
import { readStory } from '../../src/seeds/story.ts'

const NOW = '2026-06-10T12:00:00Z'
const target = (fake: ReturnType<typeof createFakeCalendar>) => ({
  fetch: (request: Request) => fake.fetch(request),
  rootUrl: 'http://localhost/',
  controlToken: undefined,
})

test('every step is printed with the time of the world, and the last line states the end of the day', async () => {
  const lines: string[] = []
  const fake = createFakeCalendar({ seed: 'company', now: NOW })

  await playDay({
    ...target(fake),
    pauseMs: 0,
    print: (line) => void lines.push(line),
    signal: new AbortController().signal,
  })

  expect(lines).toHaveLength(readStory('company').steps.length + 1)
  expect(lines[0]).toBe('2026-06-11T06:30:00.000Z  Lena’s app subscribes to push messages for her calendar')
  expect(lines.at(-1)).toBe('The day is over.')
})

test('a day leaves no listener on its signal', async () => {
  const { signal } = new AbortController()
  await playDay({
    ...target(createFakeCalendar({ seed: 'company', now: NOW })),
    ...{ pauseMs: 0, print: () => {}, signal },
  })

  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an aborted day ends during the pause after the running step', async () => {
  const lines: string[] = []
  const controller = new AbortController()
  const fake = createFakeCalendar({ seed: 'company', now: NOW })

  await playDay({
    ...target(fake),
    pauseMs: 3_600_000,
    print: (line) => {
      lines.push(line)
      controller.abort()
    },
    signal: controller.signal,
  })

  expect(lines).toHaveLength(1)
})

test('a story that is held waits for the next action, and an abort ends it', async () => {
  const titles: string[] = []
  const player = new StoryPlayer()
  const controller = new AbortController()
  const ended = playDay({
    ...target(createFakeCalendar({ seed: 'company', now: NOW })),
    ...{ pauseMs: 0, print: () => {}, signal: controller.signal },
    player: Object.assign(player, {
      wait: (ms: number, signal: AbortSignal) => {
        titles.push(player.progress.title)
        if (titles.length === 2) player.act('pause')
        return StoryPlayer.prototype.wait.call(player, ms, signal)
      },
    }),
  })
  await vi.waitFor(() => expect(titles).toHaveLength(2))
  player.act('next')
  await vi.waitFor(() => expect(titles).toHaveLength(3))
  expect(player.progress).toMatchObject({ title: titles[2], isPaused: true, isOver: false })
  controller.abort()
  await ended
  expect(titles).toHaveLength(3)
})

test('the route of the story refuses a world without one', async () => {
  const fake = createFakeCalendar({ seed: 'company', now: NOW })
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fake.request('/_control/story', { method: 'PUT', headers, body: '{"action":"next"}' })

  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('no story is played in this world; start the server with --play')
})
