import type { ComponentChildren } from 'preact'
import { calendarName, useAccount, useTimeFormat } from '../../account.ts'
import { getEvent } from '../../api/calendar.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { Facts } from '../../components/Facts.tsx'
import { Link } from '../../components/Link.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import { describeRecurrence } from '../../time/recurrenceText.ts'
import { TRAITS, titleOf, traitsOf } from './eventAppearance.ts'
import { runPlan } from './eventWrites.ts'
import { AnswerButtons, type GivenResponse, GuestList, RESPONSES } from './Guests.tsx'
import { askScope, planResponse } from './seriesChange.ts'

type Props = { calendarId: string; event: ServiceEvent }

/** HTML in texts is not rendered. */
export function EventFacts({ calendarId, event }: Props) {
  const account = useAccount()
  const format = useTimeFormat()
  const { start, end, attendees = [], recurrence, hangoutLink, attachments = [], organizer, recurringEventId } = event
  const guests = attendees.filter(({ resource }) => !resource)
  const rooms = attendees.filter(({ resource }) => resource)
  const facts = {
    When: `${format.range(start, end)}${start?.dateTime ? ` (${format.zone})` : ''}`,
    Calendar: calendarName(account, calendarId),
    Status: formatStatus(event),
    Repeats: recurrence
      ? describeRecurrence(recurrence, start)
      : recurringEventId && <SeriesLink calendarId={calendarId} id={recurringEventId} />,
    Location: event.location,
    Organizer: organizer?.displayName ?? organizer?.email,
    'Video call': hangoutLink && <ExternalLink url={hangoutLink}>{hangoutLink}</ExternalLink>,
    Guests: guests.length > 0 && <GuestList guests={guests} />,
    Rooms: rooms.length > 0 && <GuestList guests={rooms} />,
    Attachments: attachments.length > 0 && <Attachments files={attachments} />,
    Reminders: formatReminders(event),
    Description: event.description,
  }
  return <Facts facts={facts} />
}

/** What other facts show is left out. */
const SHOWN_ELSEWHERE: readonly string[] = ['recurring', 'meet', 'attachments']

function formatStatus(event: ServiceEvent): string {
  const traits = traitsOf(event).filter((trait) => !SHOWN_ELSEWHERE.includes(trait))
  const text = event.status === 'cancelled' ? 'cancelled' : traits.map((trait) => TRAITS[trait].text).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Shows only the link if the series cannot be read. */
function SeriesLink({ calendarId, id }: { calendarId: string; id: string }) {
  const { data } = useLoader(`series ${calendarId} ${id}`, (signal) => getEvent(calendarId, id, { signal }))
  return (
    <>
      {data?.recurrence && `${describeRecurrence(data.recurrence, data.start)}. `}
      <Link to={{ item: `${calendarId}/${id}` }}>Open the series</Link>
    </>
  )
}

/** No referrer. A URL other than `http` and `https`, such as `javascript:`, is shown as text. */
const ExternalLink = ({ url, children }: { url: string; children: ComponentChildren }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  )

const Attachments = ({ files }: { files: NonNullable<ServiceEvent['attachments']> }) => (
  <ul>
    {files.map(({ fileUrl = '', title }) => (
      <li key={fileUrl}>
        <ExternalLink url={fileUrl}>{title ?? fileUrl}</ExternalLink>
      </li>
    ))}
  </ul>
)

function formatReminders({ reminders }: ServiceEvent): string | undefined {
  if (!reminders) return undefined
  if (reminders.useDefault) return "The calendar's"
  return reminders.overrides?.map(({ method, minutes }) => `${method}, ${minutes} minutes before`).join('\n') || 'None'
}

/** A click sends mail to all guests. */
export function ResponseButtons({ calendarId, event }: Props) {
  const session = useSession()
  const own = event.attendees?.find(({ self }) => self)
  if (!own) return null
  const respond = async (response: GivenResponse) => {
    const scope = await askScope(event, `Respond to “${titleOf(event)}”`, ['this', 'all'])
    if (scope === undefined) return
    const plan = await planResponse(calendarId, event, response, scope)
    await runPlan(session, `Responded ${RESPONSES[response]} to “${titleOf(event)}”`, plan, event)
    navigate({ item: '' })
  }
  return <AnswerButtons answer={own.responseStatus} respond={respond} />
}
