import { diffSnapshots } from '../../control/history/diff.ts'
import type { ReferenceStep } from '../../control/types/task.ts'
import { localMsAt } from '../../recurrence/zone.ts'
import type { Event } from '../../schema/event.ts'
import { INSTANCE } from '../records.ts'
import { fillReplies, parseStep, runSteps, type StepCall, sendCall } from '../reference.ts'
import { eventPath, NotApplicable, type Program, type ProgramWork, request, type Sent } from './program.ts'

/** What one step of a reference did, if it wrote one event. */
type EventWrite = {
  readonly change: 'added' | 'changed' | 'deleted'
  readonly calendarId: string
  readonly id: string
  /** The event afterwards as the account reads it. Undefined if it was deleted. */
  readonly event: Event | undefined
  /** The names of the changed fields. */
  readonly fields: readonly string[]
  readonly level: 'all' | 'none'
  readonly call: StepCall
  readonly isMove: boolean
}

/** Does the same write in another way. Rejects with NotApplicable if there is no other way. Resolves to the reply. */
type Writer = (write: EventWrite, work: ProgramWork) => Promise<unknown>

const WRITABLE: readonly (keyof Event)[] = [
  ...([
    'summary',
    'description',
    'location',
    'start',
    'end',
    'recurrence',
    'status',
    'visibility',
    'transparency',
    'colorId',
  ] as const),
  ...(['reminders', 'guestsCanModify', 'guestsCanInviteOthers', 'guestsCanSeeOtherGuests', 'eventType'] as const),
  ...(['outOfOfficeProperties', 'focusTimeProperties', 'workingLocationProperties', 'birthdayProperties'] as const),
  ...(['extendedProperties', 'source', 'attachments', 'anyoneCanAddSelf'] as const),
]

const toWrittenGuests = ({ attendees = [] }: Event, isHost = false) =>
  attendees
    .filter(({ organizer }) => isHost || !organizer)
    .map(({ self: _, organizer: __, displayName: ___, ...rest }) => rest)

/** Returns what a client writes of an event. */
const toBody = (event: Event, fields: readonly string[] = WRITABLE): Record<string, unknown> => ({
  ...Object.fromEntries(
    WRITABLE.filter((name) => name in event && fields.includes(name)).map((name) => [name, event[name]]),
  ),
  ...((fields === WRITABLE || fields.includes('attendees')) &&
    event.attendees && { attendees: toWrittenGuests(event) }),
})

type Edit = (body: Record<string, unknown>, write: EventWrite & { event: Event }, work: ProgramWork) => object

/** Writes by REST what the step wrote, with an edited body. */
const byRest =
  (edit: Edit = (body) => body, verb: 'PATCH' | 'PUT' = 'PATCH'): Writer =>
  async (write, work) => {
    const { change, calendarId, id, event, fields, level, isMove } = write
    if (isMove) throw new NotApplicable()
    if (change === 'deleted') return request(work.send, 'DELETE', `${eventPath(write, id)}?sendUpdates=${level}`)
    if (!event) throw new NotApplicable()
    const body = (some?: readonly string[]) => edit(toBody(event, some), { ...write, event }, work)
    const events = `/calendars/${encodeURIComponent(calendarId)}/events`
    if (change === 'added')
      return request(work.send, 'POST', `${events}?sendUpdates=${level}&supportsAttachments=true`, body())
    if (verb === 'PATCH')
      return request(work.send, 'PATCH', `${eventPath(write, id)}?sendUpdates=${level}`, body(fields))
    const current = await request(work.send, 'GET', eventPath(write, id))
    return request(work.send, 'PUT', `${eventPath(write, id)}?sendUpdates=${level}`, { ...current, ...body(fields) })
  }

/** Writes by a tool of MCP. */
const byTool: Writer = async ({ change, calendarId, id, event, fields, level, isMove }, { send, account }) => {
  if (isMove) throw new NotApplicable()
  const notificationLevel = level.toUpperCase()
  const call = async (tool: string, given: object) => {
    const reply = await sendCall({ tool, given: { calendarId, notificationLevel, ...given } }, send, '').catch(
      () => undefined,
    )
    if (reply === undefined) throw new NotApplicable()
    return reply
  }
  if (change === 'deleted') return call('delete_event', { eventId: id })
  if (!event) throw new NotApplicable()
  const known = ['summary', 'description', 'location', 'start', 'end', 'attendees', 'colorId', 'visibility']
  const {
    start,
    end,
    recurrence,
    attendees: _,
    reminders: __,
    eventType: ___,
    status: ____,
    ...texts
  } = toBody(event) as unknown as Event
  const names = change === 'added' ? Object.keys(texts) : fields
  if (!names.every((name) => known.includes(name))) throw new NotApplicable()
  const given = Object.fromEntries(Object.entries(texts).filter(([name]) => names.includes(name)))
  const isTimed = change === 'added' || names.some((name) => name === 'start' || name === 'end')
  const times = isTimed && {
    startTime: toToolTime(start),
    endTime: toToolTime(end),
    ...(start.date !== undefined && { allDay: true }),
    ...(start.timeZone && { timeZone: start.timeZone }),
  }
  if (isTimed && start.timeZone !== end.timeZone) throw new NotApplicable()
  const toGuest = ({
    email,
    optional,
    responseStatus,
  }: {
    email?: string
    optional?: boolean
    responseStatus?: string
  }) => ({
    ...{ email, responseStatus },
    ...(optional && { optionalAttendee: true }),
  })
  if (change === 'added') {
    const guests = toWrittenGuests(event).map(toGuest)
    const more = { ...(guests.length > 0 && { attendees: guests }), ...(recurrence && { recurrenceData: recurrence }) }
    return call('create_event', { ...given, ...times, ...more })
  }
  if (fields.includes('attendees') && fields.length === 1) {
    const own = event.attendees?.find(({ self }) => self)
    if (event.organizer?.email === account || !own) throw new NotApplicable()
    return call('respond_to_event', { eventId: id, responseStatus: own.responseStatus, responseComment: own.comment })
  }
  return call('update_event', { eventId: id, ...given, ...times })
}

/** `timeZone` of a tool overrides the offset of a time. */
const toToolTime = ({ date, dateTime = '', timeZone }: Event['start']): string =>
  date ??
  (timeZone === undefined ? dateTime : new Date(localMsAt(Date.parse(dateTime), timeZone)).toISOString().slice(0, 19))

const inUtc = ({ dateTime, timeZone, ...rest }: Event['start'], isSeries: boolean) => ({
  ...rest,
  ...(dateTime !== undefined && { dateTime: new Date(dateTime).toISOString() }),
  ...(isSeries && { timeZone }),
})

const withMissing = (defaults: object): Writer =>
  byRest((body, { event }) => ({
    ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in event))),
    ...body,
  }))

const WRITERS: Readonly<Record<string, Writer>> = {
  'by the other door': (write, work) => ('tool' in write.call ? byRest() : byTool)(write, work),
  'PUT for PATCH': byRest((body) => body, 'PUT'),
  'times in UTC': byRest(({ start, end, ...body }, { event }) => ({
    ...body,
    ...(start !== undefined && { start: inUtc(event.start, event.recurrence !== undefined) }),
    ...(end !== undefined && { end: inUtc(event.end, event.recurrence !== undefined) }),
  })),
  'organizer listed': byRest((body, { calendarId, event }, { account }) => {
    if (!event.attendees || calendarId !== account || event.organizer?.email !== account) throw new NotApplicable()
    const others = toWrittenGuests(event).filter(({ email }) => email !== account)
    return { ...body, attendees: [...others, { email: account, responseStatus: 'accepted' }] }
  }),
  'empty texts': withMissing({ description: '', location: '' }),
  'defaults named': withMissing({
    ...{ visibility: 'default', transparency: 'opaque', status: 'confirmed', guestsCanModify: false },
    ...{ guestsCanInviteOthers: true, guestsCanSeeOtherGuests: true, anyoneCanAddSelf: false },
  }),
  async 'excluded date for a cancelled instance'(write, { send, world }) {
    const [, series, slot] = INSTANCE.exec(write.id) ?? []
    // Guests are told of a changed series instead.
    if (write.change !== 'deleted' || series === undefined || write.level === 'all') throw new NotApplicable()
    const path = eventPath(write, series)
    const { recurrence } = (await request(send, 'GET', path)) as unknown as Event
    const isDated = world.data.events.of(write.calendarId).records.get(series)?.start.date !== undefined
    const line = isDated ? `EXDATE;VALUE=DATE:${slot}` : `EXDATE:${slot}`
    return request(send, 'PATCH', `${path}?sendUpdates=${write.level}`, { recurrence: [...(recurrence ?? []), line] })
  },
  async 'first wrong and then mended'(write, work) {
    if (write.change === 'deleted' || !write.event) throw new NotApplicable()
    const { summary = '', location = '' } = write.event
    const wrong = { summary: 'Wrong', location: 'Wrong' }
    const made = write.isMove
      ? sendCall(write.call, work.send, '')
      : byRest((body) => ({ ...body, ...wrong }))(write, work)
    const path = eventPath(write, String(((await made) as Sent).id))
    if (write.isMove) await request(work.send, 'PATCH', `${path}?sendUpdates=none`, wrong)
    return request(work.send, 'PATCH', `${path}?sendUpdates=none`, { summary, location })
  },
}

/** Solves the task as its reference does, but writes events in another way. A step that does more is done as it is. */
const withWriter =
  (writer: Writer): Program =>
  async (work) => {
    const { goal } = work
    let changed = 0
    const replies: unknown[] = []
    for (const step of goal.do) {
      const write = await tryStep(step, work, replies)
      try {
        replies.push(await (write ? writer(write, work) : runStep(step, work, replies)))
        if (write) changed += 1
      } catch (error) {
        if (!(error instanceof NotApplicable)) throw error
        replies.push(await runStep(step, work, replies))
      }
    }
    if (changed === 0) throw new NotApplicable()
    return work.answer
  }

async function runStep(step: ReferenceStep, { send }: ProgramWork, replies: readonly unknown[]): Promise<unknown> {
  const [reply] = await runSteps([fillReplies(step, replies)], send)
  return reply
}

/** Runs a step, reads what it wrote, and takes it back. */
async function tryStep(
  step: ReferenceStep,
  work: ProgramWork,
  replies: readonly unknown[],
): Promise<EventWrite | undefined> {
  const { world, send } = work
  const before = world.snapshot()
  const mails = world.data.mail.size
  const snapshot = world.data.store.snapshot()
  try {
    await runStep(step, work, replies)
    const changes = diffSnapshots(snapshot, world.data.store.snapshot())
    const call = parseStep(fillReplies(step, replies))
    // A move keeps the event, which no other call does.
    const isMove = call !== undefined && 'path' in call && /\/move(?:\?|$)/.test(call.path)
    const [record, more] = isMove ? changes.filter(({ change }) => change.change === 'added') : changes
    if (!record || more) return undefined
    const { change, existed } = record
    if (change.kind !== 'event' || !call) return undefined
    const { calendarId = '', id } = change
    const event =
      change.change === 'deleted' ? undefined : await request(send, 'GET', eventPath(change, id)).catch(() => undefined)
    return {
      change: existed && change.change === 'added' ? 'changed' : change.change,
      ...{ calendarId, id, call, event: event as Event | undefined },
      fields: [...new Set(Object.keys(change.fields).map((path) => path.split(/[.[]/)[0] ?? ''))],
      level: world.data.mail.size > mails ? 'all' : 'none',
      isMove,
    }
  } finally {
    world.restore(before)
  }
}

/** The ways of being right that a grade must accept, by name. */
export const VARIANTS: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries(WRITERS).map(([name, writer]) => [name, withWriter(writer)]),
)
