import { instantOf } from '../recurrence/zone.ts'
import { shiftDates, weeksSince } from './anchor.ts'
import { readFixtureFile } from './fixtureFiles.ts'

/** The target of a story: a world of `createFakeCalendar()`, or any object that sends requests to a server's root. */
export interface StoryTarget {
  request(path: string, init?: RequestInit): Promise<Response>
}

/**
 * One step: a local time of the story's day as `HH:MM`, and a title. `request` is a verb and a path below
 * `/calendar/v3`, which `account` sends.
 */
export type StoryStep = {
  readonly at: string
  readonly title: string
  readonly account?: string
  readonly request?: string
  readonly body?: object
}

/**
 * A scripted day as data. Its date and those in bodies move by the whole weeks between `anchor` and the world's clock, as
 * the dates of a seed do. `weekZone` is the zone of the first account of the world, and `timeZone` that of the steps.
 */
export type Story = {
  readonly title: string
  readonly anchor: string
  readonly weekZone: string
  readonly date: string
  readonly timeZone: string
  readonly steps: readonly StoryStep[]
}

/** The name of a demo world with a story. */
export type StoryName = 'company'

export type StoryOptions = {
  onStep?: ((step: Pick<StoryStep, 'at' | 'title' | 'account'>) => void | Promise<void>) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Plays a story, and resolves after its last step: freezes the world's clock at the first step, and moves it to the time
 * of each step before the step's request. All of these are ordinary requests, so that mail, push messages and the
 * inspector show their consequences. Rejects with an Error that names the step if its request fails, and with the error
 * of `onStep`.
 */
export async function playStory(
  target: StoryTarget,
  story: Story | StoryName,
  { onStep, signal }: StoryOptions = {},
): Promise<void> {
  const given = typeof story === 'string' ? readStory(story) : story
  const clock = await sendStoryRequest(target, 'GET', '/_control/clock')
  const weeks = weeksSince(given.anchor, Date.parse(String(clock.now)), given.weekZone)
  const { title, date, timeZone, steps } = shiftDates(given, weeks, given.timeZone)
  for (const [index, step] of steps.entries()) {
    if (signal?.aborted) return
    const now = toStoryInstant(date, step.at, timeZone)
    if (index === 0) await sendStoryRequest(target, 'PUT', '/_control/clock', { mode: 'frozen', now })
    else await sendStoryRequest(target, 'POST', '/_control/clock/advance', { to: now })
    try {
      await playStep(target, step)
    } catch (error) {
      throw new Error(`${title}, ${step.at}, ${step.title}: ${error instanceof Error ? error.message : error}`)
    }
    const { account } = step
    await onStep?.({ at: now, title: step.title, ...(account && { account }) })
  }
}

export const readStory = (name: StoryName): Story => readFixtureFile(`${name}.story`) as Story

function toStoryInstant(date: string, time: string, timeZone: string): string {
  return new Date(instantOf(Date.parse(`${date}T${time}:00Z`), timeZone)).toISOString()
}

async function playStep(target: StoryTarget, { account, request, body }: StoryStep): Promise<void> {
  if (!request) return
  const [method = '', path = ''] = request.split(' ', 2)
  const headers: Record<string, string> = account ? { authorization: `Bearer ${account}` } : {}
  await sendStoryRequest(target, method, `/calendar/v3${path}`, body, headers)
}

async function sendStoryRequest(
  target: StoryTarget,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await target.request(path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return text ? JSON.parse(text) : {}
}
