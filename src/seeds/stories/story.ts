import { DAY_MS } from '../../recurrence/days.ts'
import { instantOf } from '../../recurrence/zone.ts'

/** The target of a story: a world of `createFakeCalendar()`, or any object that sends requests to a server's root. */
export interface StoryTarget {
  request(path: string, init?: RequestInit): Promise<Response>
}

/** Sends a request to the service as one account and returns the body. Throws an Error for any status of 400 or above. */
export type StoryCall = (
  account: string,
  method: string,
  path: string,
  body?: object,
) => Promise<Record<string, unknown>>

/** One step: a local time of the story's day as `HH:MM`, a title, and requests. */
export type StoryStep = {
  readonly at: string
  readonly title: string
  readonly run: (call: StoryCall, date: string) => Promise<void>
}

/** A scripted day. `weekday` counts from Monday, which is 0, in the week of the world's clock. */
export type Story = {
  readonly title: string
  readonly timeZone: string
  readonly weekday: number
  readonly steps: readonly StoryStep[]
}

export type StoryOptions = {
  onStep?: ((step: { at: string; title: string }) => void | Promise<void>) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Plays a story, and resolves after its last step: freezes the world's clock at the first step, and moves it to the time
 * of each step before the step's requests. All of these are ordinary requests, so that mail, push messages and the
 * inspector show their consequences. Rejects with an Error that names the step if a request of a step fails, and with the
 * error of `onStep`.
 */
export async function playStory(
  target: StoryTarget,
  story: Story,
  { onStep, signal }: StoryOptions = {},
): Promise<void> {
  const clock = await sendStoryRequest(target, 'GET', '/_control/clock')
  const date = findStoryDate(story, String(clock.now))
  for (const [index, step] of story.steps.entries()) {
    if (signal?.aborted) return
    const now = toStoryInstant(date, step.at, story.timeZone)
    if (index === 0) await sendStoryRequest(target, 'PUT', '/_control/clock', { mode: 'frozen', now })
    else await sendStoryRequest(target, 'POST', '/_control/clock/advance', { to: now })
    try {
      await step.run(createStoryCall(target), date)
    } catch (error) {
      throw new Error(`${story.title}, ${step.at}, ${step.title}: ${error instanceof Error ? error.message : error}`)
    }
    await onStep?.({ at: now, title: step.title })
  }
}

/** Returns the date (`2026-03-05`) of the story's weekday in the week of an RFC 3339 instant, in UTC. */
function findStoryDate({ weekday }: Story, now: string): string {
  const midnight = Date.parse(`${now.slice(0, 10)}T00:00:00Z`)
  const monday = midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY_MS
  return new Date(monday + weekday * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the RFC 3339 instant of a local date and time (`HH:MM`) in a zone. */
function toStoryInstant(date: string, time: string, timeZone: string): string {
  return new Date(instantOf(Date.parse(`${date}T${time}:00Z`), timeZone)).toISOString()
}

/** Returns the function that sends the requests of a step to the service. */
const createStoryCall =
  (target: StoryTarget): StoryCall =>
  (account, method, path, body) =>
    sendStoryRequest(target, method, `/calendar/v3${path}`, body, { authorization: `Bearer ${account}` })

/**
 * Sends a request, and resolves to its JSON body, or to an empty object without a body. Rejects with an Error for a
 * status of 400 or above.
 */
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
