import { type ComponentChildren, Fragment } from 'preact'
import { Button } from '../parts/button.tsx'
import { openEvent, scopeOf } from './acts.ts'
import { SIGNS, signsOf, titleOf } from './looks.ts'
import { changeOf } from './series.ts'
import type { Guest, Shown } from './service.ts'
import { nameOf, zone } from './state.ts'
import { said } from './times.ts'
import { perform } from './writes.ts'

const ANSWERS = { accepted: 'Yes', tentative: 'Maybe', declined: 'No' } as const
const ANSWERED = { ...ANSWERS, needsAction: 'no answer yet' } as const

/** An event as a person reads it. All of it is text: what somebody wrote into it is never taken for markup. */
export function Facts({ calendarId, event }: { calendarId: string; event: Shown }) {
  const {
    start,
    end,
    location,
    description,
    attendees = [],
    recurrence,
    hangoutLink,
    attachments = [],
    organizer,
    recurringEventId,
  } = event
  const signs = signsOf(event)
  const rows: [string, ComponentChildren][] = [
    ['When', `${said(start, end, zone.value)} (${zone.value})`],
    ['Calendar', nameOf(calendarId)],
    ['Status', event.status === 'cancelled' ? 'cancelled' : signs.map((sign) => SIGNS[sign]).join(', ')],
    [
      'Repeats',
      recurrence?.join('\n') ?? (recurringEventId && <Series calendarId={calendarId} id={recurringEventId} />),
    ],
    ['Where', location],
    ['Organizer', organizer?.displayName ?? organizer?.email],
    ['Video call', hangoutLink && <Link to={hangoutLink}>{hangoutLink}</Link>],
    ['Guests', attendees.length > 0 && <Guests guests={attendees} />],
    ['Attachments', attachments.length > 0 && <Attached files={attachments} />],
    ['Reminders', remindersOf(event)],
    ['Description', description && <span class="text">{description}</span>],
  ]
  return (
    <dl class="facts">
      {rows.map(([name, value]) =>
        value ? (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ) : null,
      )}
    </dl>
  )
}

/** An instance leads to its series, whose rules are there to be changed. */
const Series = ({ calendarId, id }: { calendarId: string; id: string }) => (
  <button type="button" onClick={() => openEvent({ calendarId, event: { id } })}>
    Open the series
  </button>
)

/** What leads out of the page leads to the web, and tells nobody where it was followed. */
const Link = ({ to, children }: { to: string; children: ComponentChildren }) =>
  /^https?:\/\//i.test(to) ? (
    <a href={to} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  )

const Guests = ({ guests }: { guests: readonly Guest[] }) => (
  <ul>
    {guests.map(({ email, displayName, responseStatus = 'needsAction', optional, organizer }) => (
      <li key={email}>
        {displayName ? `${displayName} (${email})` : email}: {ANSWERED[responseStatus]}
        {optional && ', optional'}
        {organizer && ', organizer'}
      </li>
    ))}
  </ul>
)

const Attached = ({ files }: { files: NonNullable<Shown['attachments']> }) => (
  <ul>
    {files.map(({ fileUrl = '', title }) => (
      <li key={fileUrl}>
        <Link to={fileUrl}>{title ?? fileUrl}</Link>
      </li>
    ))}
  </ul>
)

function remindersOf({ reminders }: Shown): string | undefined {
  if (!reminders) return undefined
  if (reminders.useDefault) return "the calendar's own"
  return reminders.overrides?.map(({ method, minutes }) => `${method}, ${minutes} minutes before`).join('\n') || 'none'
}

/** The answer to an invitation, where the account has one. */
export function Answers({ calendarId, event }: { calendarId: string; event: Shown }) {
  const own = event.attendees?.find(({ self }) => self)
  if (!own) return null
  return (
    <fieldset class="answers actions">
      <legend>Going?</legend>
      {(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]).map((answer) => (
        <Button
          key={answer}
          class={own.responseStatus === answer ? 'primary' : ''}
          act={() => respond(calendarId, event, answer)}
        >
          {ANSWERS[answer]}
        </Button>
      ))}
    </fieldset>
  )
}

async function respond(calendarId: string, event: Shown, responseStatus: keyof typeof ANSWERS): Promise<void> {
  const what = `Answer “${titleOf(event)}”`
  const scope = await scopeOf(event, what)
  if (scope === undefined) return
  const attendees = event.attendees?.map((guest) => (guest.self ? { ...guest, responseStatus } : guest))
  const steps = await changeOf(calendarId, event, { attendees }, scope, { sendUpdates: 'all' })
  await perform(`Answered “${titleOf(event)}”: ${ANSWERS[responseStatus]}`, steps)
}
