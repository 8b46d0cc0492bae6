import type { ComponentChildren } from 'preact'
import { useAccount } from '../../account.ts'
import { callService } from '../../api/client.ts'
import type { Attendee, EventTime } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Form.tsx'
import { Icon } from '../../components/Icon.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { useSession } from '../../session.ts'
import { eventInstant } from '../../time/wallTime.ts'
import { type Draft, type FormPart, toTimes, withGuests } from './formFields.ts'

export const RESPONSES = { accepted: 'Yes', declined: 'No', tentative: 'Maybe', needsAction: 'no answer yet' } as const

/** The name, the answer, and `children`. */
export function GuestChip({ guest, children }: { guest: Attendee; children?: ComponentChildren }) {
  const { names } = useAccount()
  const { email = '', displayName, responseStatus, optional, organizer } = guest
  const notes = [
    RESPONSES[(responseStatus ?? 'needsAction') as keyof typeof RESPONSES],
    ...[organizer && 'organizer', optional && 'optional'],
  ]
  return (
    <li class="chip" title={email} data-response={responseStatus}>
      <span>{displayName ?? names.get(email) ?? email}</span>
      <span class="muted">{notes.filter(Boolean).join(', ')}</span>
      {children}
    </li>
  )
}

export const GuestList = ({ guests }: { guests: readonly Attendee[] }) => (
  <ul class="chips">
    {guests.map((guest) => (
      <GuestChip key={guest.email} guest={guest} />
    ))}
  </ul>
)

export type GivenResponse = 'accepted' | 'declined' | 'tentative'
const GIVEN_RESPONSES: readonly GivenResponse[] = ['accepted', 'declined', 'tentative']

type AnswerProps = { answer: string | undefined; respond(response: GivenResponse): unknown }

export const AnswerButtons = ({ answer, respond }: AnswerProps) => (
  <fieldset class="actions" aria-label="Going?">
    <span>Going?</span>
    {GIVEN_RESPONSES.map((response) => (
      <Button key={response} pressed={answer === response} run={() => respond(response)}>
        {RESPONSES[response]}
      </Button>
    ))}
  </fieldset>
)

/** A typed address becomes a chip at Enter, at a comma, and when the field loses the focus. */
export function GuestFields({ fields, set, draft }: FormPart & { draft: Draft }) {
  const { overview } = useSession()
  const people = [...(overview.value?.accounts ?? []), ...(overview.value?.rooms ?? [])]
  const { guests, newGuests } = fields
  const busy = useBusyGuests(fields, draft)
  const add = (input: HTMLInputElement) => {
    const isAdded = newGuests.trim() !== '' && input.checkValidity()
    if (isAdded) set(withGuests(fields))
    return isAdded
  }
  const replace = (email: string | undefined, changed?: Attendee) =>
    set({ guests: guests.flatMap((one) => (one.email === email ? (changed ?? []) : one)) })
  return (
    <>
      {guests.length > 0 && (
        <ul class="chips" aria-label="Chosen guests">
          {guests.map((guest) => (
            <GuestChip key={guest.email} guest={guest}>
              {busy(guest)}
              <button
                type="button"
                class="quiet"
                aria-pressed={guest.optional === true}
                onClick={() => replace(guest.email, { ...guest, optional: !guest.optional })}
              >
                Optional
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${guest.email}`}
                onClick={() => replace(guest.email)}
              >
                <Icon name="close" />
              </button>
            </GuestChip>
          ))}
        </ul>
      )}
      <Field
        {...{ label: 'Guests', type: 'email', multiple: true, list: 'accounts', value: newGuests }}
        choices={people.map(({ email, displayName }) => [email, displayName ?? email])}
        placeholder="bob@example.com, a room"
        change={(text) => set({ newGuests: text })}
        onChange={({ currentTarget }) => add(currentTarget)}
        onKeyDown={(event) => {
          if ((event.key === 'Enter' || event.key === ',') && add(event.currentTarget)) event.preventDefault()
        }}
      />
    </>
  )
}

type BusyCalendar = { errors?: unknown; busy: { start: string; end: string }[] }

/** Returns the free/busy state of a guest at the times of the form, as the account may see it. */
function useBusyGuests(fields: FormPart['fields'], { event }: Draft) {
  const { timeZone } = useAccount()
  const toMs = (time: EventTime | null | undefined) => (time ? eventInstant(time, timeZone) : Number.NaN)
  const times = fields.start && fields.end ? toTimes(fields) : undefined
  const [from, to] = [toMs(times?.start), toMs(times?.end)]
  const own = { from: toMs(event?.start), to: toMs(event?.end) }
  const emails = fields.guests.flatMap(({ email = '' }) => email)
  const { data } = useLoader(`free/busy ${from} ${to} ${emails.join(' ')}`, async (signal) => {
    if (!(from < to) || emails.length === 0) return {}
    const [timeMin, timeMax] = [from, to].map((ms) => new Date(ms).toISOString())
    const body = { timeMin, timeMax, items: emails.map((id) => ({ id })) }
    const request = { method: 'freebusy.query', verb: 'POST', path: '/freeBusy', body, signal }
    return (await callService<{ calendars: Record<string, BusyCalendar> }>(request)).data.calendars
  })
  return ({ email = '', responseStatus }: Attendee): ComponentChildren => {
    const calendar = data?.[email.toLowerCase()]
    if (!calendar) return null
    if (calendar.errors) return <span class="muted">not shared</span>
    // The event itself makes its guests busy.
    const isOther = (begin: number, until: number) => !responseStatus || begin < own.from || until > own.to
    const isBusy = calendar.busy.some((one) => isOther(Date.parse(one.start), Date.parse(one.end)))
    return isBusy ? <strong class="bad">busy</strong> : <span>free</span>
  }
}
