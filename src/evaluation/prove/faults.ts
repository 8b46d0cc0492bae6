import type { ReferenceStep } from '../../control/types/task.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import type { Event } from '../../schema/event.ts'
import { fillReplies, parseStep, runSteps } from '../reference.ts'
import { listChanges } from '../solutions.ts'
import {
  eventPath,
  NotApplicable,
  type Program,
  type ProgramWork,
  request,
  requireApplicable,
  runReferenceFirst,
  type Target,
} from './program.ts'

const STRANGER = 'stranger@elsewhere.example.net'
const HOUR_MS = 3_600_000
const QUARTER_MS = HOUR_MS / 4

type Patch = (event: Event, target: Target) => object | undefined

/** Solves the task, and then writes an event wrong, without a mail. */
const wrong =
  (patch: Patch): Program =>
  async (work) => {
    for (const target of await runReferenceFirst(work)) {
      const body = patch(target.event, target)
      if (body === undefined) continue
      const before = formatChanges(work)
      await request(work.send, 'PATCH', `${eventPath(target, target.event.id)}?sendUpdates=none`, body)
      if (formatChanges(work) !== before) return work.answer
    }
    throw new NotApplicable()
  }

const formatChanges = ({ world }: ProgramWork): string =>
  JSON.stringify([listChanges(world).map(({ change }) => change), world.data.mail.size])

const addTime = ({ date, dateTime = '', ...rest }: Event['start'], ms: number): object =>
  date === undefined
    ? { ...rest, dateTime: new Date(Date.parse(dateTime) + ms).toISOString() }
    : { ...rest, date: new Date(Date.parse(date) + ms).toISOString().slice(0, 10) }

const shiftBy =
  (ms: number): Patch =>
  ({ start, end }) =>
    start.date !== undefined && ms % DAY_MS !== 0 ? undefined : { start: addTime(start, ms), end: addTime(end, ms) }

const othersOf = ({ attendees = [] }: Event) => attendees.filter(({ organizer, self }) => !organizer && !self)

const withLastGuest =
  (change: (guest: object) => object[]): Patch =>
  (event) => {
    const last = othersOf(event).at(-1)
    if (!last) return undefined
    return { attendees: (event.attendees ?? []).flatMap((one) => (one === last ? change(one) : [one])) }
  }

const withStranger = ({ attendees = [] }: Event) => ({ attendees: [...attendees, { email: STRANGER }] })

const answerWith =
  (toAnswer: (work: ProgramWork) => string): Program =>
  async (work) => {
    requireApplicable(work.goal.say !== undefined)
    await runSteps(work.goal.do, work.send)
    return toAnswer(work)
  }

/** Adds to each step who gets mail: everybody, or nobody. */
const withMail = (steps: readonly ReferenceStep[], level: 'all' | 'none'): ReferenceStep[] =>
  steps.map((step) => {
    const call = parseStep(step)
    if (!call) return step
    if ('tool' in call)
      return /_event$/.test(call.tool) && call.tool !== 'get_event'
        ? { [call.tool]: { ...call.given, notificationLevel: level.toUpperCase() } }
        : step
    const [path = '', query = ''] = call.path.split('?')
    const params = new URLSearchParams(query)
    if (call.verb === 'GET') return step
    params.set(
      path.endsWith('/acl') ? 'sendNotifications' : 'sendUpdates',
      path.endsWith('/acl') ? String(level === 'all') : level,
    )
    return { [`${call.verb} ${path}?${params}`]: call.body ?? {} }
  })

const countMails = ({ world }: ProgramWork): number => world.data.mail.size

/** Writes an event with mail to its guests, and then as it was. */
const mailAgain = async (work: ProgramWork, targets: readonly Target[], last: 'all' | 'none'): Promise<void> => {
  const before = countMails(work)
  for (const target of targets) {
    const path = eventPath(target, target.event.id)
    const { location = '' } = target.event
    await request(work.send, 'PATCH', `${path}?sendUpdates=all`, { location: `${location}.` })
    await request(work.send, 'PATCH', `${path}?sendUpdates=${last}`, { location })
  }
  requireApplicable(countMails(work) > before)
}

/** Solves the task, and then does more. `act` gets the events that the reference wrote. */
const andThen =
  (act: (work: ProgramWork, targets: readonly Target[]) => Promise<unknown>): Program =>
  async (work) => {
    await act(work, await runReferenceFirst(work))
    return work.answer
  }

/** What a nearly right agent does wrong, by name. Each solves the rest of the task as its reference does. */
export const FAULTS: Readonly<Record<string, Program>> = {
  idle: async ({ goal }) => {
    requireApplicable(goal.do.length > 0 || goal.say !== undefined)
    return ''
  },
  async 'last step left out'({ goal, send, answer, lastStep }) {
    await runSteps(goal.do.slice(0, requireApplicable(lastStep) - 1), send)
    return answer
  },
  stranger: wrong(withStranger),
  'guest left out': wrong(withLastGuest(() => [])),
  'guest optional': wrong(withLastGuest((guest) => [{ ...guest, optional: !('optional' in guest && guest.optional) }])),
  text: wrong(({ description = '' }) => ({ description: `${description} More.` })),
  place: wrong(({ location = '' }) => ({ location: `${location} Elsewhere` })),
  colour: wrong(({ colorId }) => ({ colorId: colorId === '11' ? '10' : '11' })),
  private: wrong(({ visibility }) => ({ visibility: visibility === 'private' ? 'public' : 'private' })),
  'guests may change it': wrong(({ guestsCanModify = false }) => ({ guestsCanModify: !guestsCanModify })),
  weekly: wrong(({ recurrence, recurringEventId, start, end }, { event }) =>
    recurrence || recurringEventId
      ? undefined
      : {
          recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
          ...(event.start.date === undefined && {
            start: { timeZone: 'UTC', ...start },
            end: { timeZone: 'UTC', ...end },
          }),
        },
  ),
  longer: wrong(({ end }) => ({ end: addTime(end, end.date === undefined ? QUARTER_MS : DAY_MS) })),
  'a day off': wrong(shiftBy(DAY_MS)),
  'an hour off': wrong(shiftBy(HOUR_MS)),
  'another calendar': andThen(async (work, targets) => {
    const { items } = await request(work.send, 'GET', '/users/me/calendarList?minAccessRole=writer')
    for (const { event, calendarId } of targets) {
      const other = (items as { id: string }[]).find(({ id }) => id !== calendarId)
      if (!other || event.recurringEventId) continue
      await request(
        work.send,
        'POST',
        `${eventPath({ calendarId }, event.id)}/move?sendUpdates=none&destination=${encodeURIComponent(other.id)}`,
      )
      return
    }
    throw new NotApplicable()
  }),
  async 'done twice'(work) {
    const { goal, send } = work
    await runSteps(goal.do, send)
    const before = formatChanges(work)
    const replies: unknown[] = []
    const run = async (step: ReferenceStep) => (await runSteps([fillReplies(step, replies)], send))[0]
    // What was deleted cannot be deleted again.
    for (const step of goal.do) replies.push(await run(step).catch(() => ({})))
    requireApplicable(before !== formatChanges(work))
    return work.answer
  },
  'deleted and inserted again': andThen(async (work, targets) => {
    const isOwn = ({ event, change }: Target) =>
      change.change === 'changed' && !event.recurringEventId && event.organizer?.self
    const { event, calendarId } = requireApplicable(targets.find(isOwn))
    const { id: _, iCalUID: __, etag: ___, ...body } = event
    await request(work.send, 'DELETE', `${eventPath({ calendarId }, event.id)}?sendUpdates=none`)
    await request(work.send, 'POST', `/calendars/${encodeURIComponent(calendarId)}/events?sendUpdates=none`, body)
  }),
  rights: andThen(({ send }) => {
    const rule = { role: 'reader', scope: { type: 'user', value: STRANGER } }
    return request(send, 'POST', '/calendars/primary/acl?sendNotifications=false', rule)
  }),
  'another event renamed': andThen(async (work, targets) => {
    const { items } = await request(work.send, 'GET', '/calendars/primary/events?maxResults=50')
    const isOther = ({ id, organizer, recurringEventId, status, eventType }: Event) =>
      organizer?.self &&
      !recurringEventId &&
      status !== 'cancelled' &&
      eventType === 'default' &&
      !targets.some(({ event }) => event.id.startsWith(id))
    const other = requireApplicable((items as Event[]).find(isOther))
    await request(work.send, 'PATCH', `/calendars/primary/events/${other.id}`, {
      summary: `${other.summary ?? ''} (2)`,
    })
  }),
  async 'no mail'(work) {
    requireApplicable(work.sendsMail)
    await runSteps(withMail(work.goal.do, 'none'), work.send)
    return work.answer
  },
  async 'mail twice'(work) {
    const before = countMails(work)
    const targets = await runReferenceFirst(work)
    requireApplicable(countMails(work) > before)
    await mailAgain(work, targets, 'all')
    return work.answer
  },
  async 'mail nobody asked for'(work) {
    const before = countMails(work)
    const targets = await runReferenceFirst(work)
    requireApplicable(countMails(work) === before)
    await mailAgain(work, targets, 'none')
    return work.answer
  },
  'invited and taken back': andThen(async ({ send }, [first]) => {
    const target = requireApplicable(first)
    const path = eventPath(target, target.event.id)
    const { attendees = [] } = target.event
    await request(send, 'PATCH', `${path}?sendUpdates=all`, withStranger(target.event))
    await request(send, 'PATCH', `${path}?sendUpdates=none`, { attendees })
  }),
  'a watch': andThen(({ send }) => {
    const watch = { id: 'watch-of-the-proof', type: 'web_hook', address: 'https://elsewhere.example.net/hook' }
    return request(send, 'POST', '/calendars/primary/events/watch', watch)
  }),
  'answer padded': answerWith(({ answer }) => `${answer}\nAlso, everything else is in order.`),
  'no answer': answerWith(() => ''),
  'the prompt echoed': answerWith(({ prompt }) => prompt),
}
