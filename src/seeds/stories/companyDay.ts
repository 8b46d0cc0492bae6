import {
  ANIA,
  BERLIN,
  FELIX,
  HARUTO,
  IDRIS,
  LENA,
  NORA,
  ROOMS,
  SOFIA,
  TEAMS,
  YUSUF,
} from '../fixtures/companyPeople.ts'
import { dayAfter, toTimes } from '../fixtures/kit.ts'
import type { Story, StoryCall } from './story.ts'

const LAUNCH = 'nightmaplaunch'
const INCIDENT = 'incident0'
const LIMITS = 'apilimits'
const ENGINEERING = TEAMS.find(({ id }) => id === 'engineering')?.calendar ?? ''
const HAVEL = ROOMS.find(({ name }) => name === 'Havel')?.id ?? ''

const NOTIFY_GUESTS = 'sendUpdates=all'
const toAttendees = (...members: { email: string; displayName: string }[]) =>
  members.map(({ email, displayName }) => ({ email, displayName }))

/**
 * Answers an invitation for one guest, as a client does: reads the attendees and sends them all. Rejects with an Error
 * if a request fails.
 */
async function respondToInvitation(
  call: StoryCall,
  account: string,
  eventId: string,
  responseStatus: string,
  comment?: string,
) {
  const path = `/calendars/primary/events/${eventId}`
  const { attendees } = (await call(account, 'GET', path)) as { attendees: { email: string }[] }
  const answered = attendees.map((one) => (one.email === account ? { ...one, responseStatus, comment } : one))
  await call(account, 'PATCH', `${path}?${NOTIFY_GUESTS}`, { attendees: answered })
}

/** A Thursday of the company: an invitation, answers, a room conflict, a series that moves, and a video call that becomes ready. */
export const companyDay: Story = {
  title: 'A day at Lumen',
  timeZone: BERLIN,
  weekday: 3,
  steps: [
    {
      at: '08:30',
      title: 'Lena’s app subscribes to push messages for her calendar',
      run: async (call) => {
        await call(LENA.email, 'POST', '/calendars/primary/events/watch', {
          id: 'lena-phone',
          type: 'web_hook',
          address: 'https://push.lumen.example.com/lena',
        })
      },
    },
    {
      at: '09:00',
      title: 'Sofia invites three colleagues to the launch of the night map and requests a video call',
      run: async (call, date) => {
        await call(SOFIA.email, 'POST', `/calendars/primary/events?conferenceDataVersion=1&${NOTIFY_GUESTS}`, {
          id: LAUNCH,
          summary: 'Launch: night map',
          ...toTimes(date, '15:00', 60, BERLIN),
          attendees: toAttendees(LENA, YUSUF, HARUTO),
          conferenceData: { createRequest: { requestId: LAUNCH, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
          reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] },
        })
      },
    },
    {
      at: '09:05',
      title: 'The video call is ready',
      run: async (call) => {
        await call(SOFIA.email, 'GET', `/calendars/primary/events/${LAUNCH}`)
      },
    },
    {
      at: '09:20',
      title: 'Yusuf declines',
      run: (call) => respondToInvitation(call, YUSUF.email, LAUNCH, 'declined', 'I am on call at that time.'),
    },
    { at: '09:25', title: 'Lena accepts', run: (call) => respondToInvitation(call, LENA.email, LAUNCH, 'accepted') },
    {
      at: '10:00',
      title: 'Ania books the room Havel at 13:00',
      run: async (call, date) => {
        await call(ANIA.email, 'POST', `/calendars/primary/events?${NOTIFY_GUESTS}`, {
          id: INCIDENT,
          summary: 'Incident review: tile cache',
          ...toTimes(date, '13:00', 60, BERLIN),
          attendees: [...toAttendees(LENA), { email: HAVEL }],
        })
      },
    },
    {
      at: '10:10',
      title: 'Felix books Havel at 13:30, and the room declines',
      run: async (call, date) => {
        await call(FELIX.email, 'POST', `/calendars/primary/events?${NOTIFY_GUESTS}`, {
          id: LIMITS,
          summary: 'API limits',
          ...toTimes(date, '13:30', 30, BERLIN),
          attendees: [...toAttendees(YUSUF), { email: HAVEL }],
        })
      },
    },
    {
      at: '10:30',
      title: 'Felix moves his meeting to 14:00, and the room accepts',
      run: async (call, date) => {
        await call(
          FELIX.email,
          'PATCH',
          `/calendars/primary/events/${LIMITS}?${NOTIFY_GUESTS}`,
          toTimes(date, '14:00', 30, BERLIN),
        )
      },
    },
    {
      at: '11:00',
      title: 'Lena moves the planning series of Engineering half an hour later',
      run: async (call) => {
        const path = `/calendars/${encodeURIComponent(ENGINEERING)}/events/planningengineering`
        const { start } = (await call(LENA.email, 'GET', path)) as { start: { dateTime: string } }
        await call(
          LENA.email,
          'PATCH',
          `${path}?${NOTIFY_GUESTS}`,
          toTimes(start.dateTime.slice(0, 10), '13:30', 60, BERLIN),
        )
      },
    },
    { at: '14:50', title: 'The reminder of the launch is mailed', run: async () => {} },
    {
      at: '15:10',
      title: 'Idris moves Nora’s board preparation to tomorrow',
      run: async (call, date) => {
        const day = dayAfter(date, 1)
        const path = `/calendars/${encodeURIComponent(NORA.email)}/events`
        const { items } = (await call(IDRIS.email, 'GET', `${path}?q=Board%20preparation`)) as {
          items: { id: string }[]
        }
        await call(
          IDRIS.email,
          'PATCH',
          `${path}/${items[0]?.id}?${NOTIFY_GUESTS}`,
          toTimes(day, '14:00', 90, NORA.timeZone),
        )
      },
    },
    {
      at: '16:30',
      title: 'Ania cancels the incident review',
      run: async (call) => {
        await call(ANIA.email, 'DELETE', `/calendars/primary/events/${INCIDENT}?${NOTIFY_GUESTS}`)
      },
    },
  ],
}
