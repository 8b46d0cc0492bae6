import type { Seed, SeedEvent } from '../../wire/seeds/seed.ts'
import { allDay, dayAfter, padded, pick, timed } from './making.ts'

const ANCHOR = '2026-01-05'
const ZONE = 'Europe/London'
const DESK = 'desk@clinic.example.com'
const DOCTORS = [
  { email: 'okafor@clinic.example.com', displayName: 'Dr Ada Okafor', room: 0, first: '08:40', length: 20, most: 14 },
  { email: 'weiss@clinic.example.com', displayName: 'Dr Jonas Weiss', room: 1, first: '09:00', length: 30, most: 9 },
]
const NURSE = { email: 'ito@clinic.example.com', displayName: 'Mika Ito' }
const ROOMS = ['Room 1', 'Room 2', 'Treatment room'].map((name, at) => ({
  id: `c_clinicroom${at}0k2m9pv4qd81s6u3fo0@resource.calendar.google.com`,
  name,
}))
const REASONS = ['Check-up', 'Follow-up', 'Results', 'First visit', 'Prescription', 'Vaccination', 'Dressing']
const [ROOM_1, ROOM_2, TREATMENT] = ROOMS as [(typeof ROOMS)[0], (typeof ROOMS)[0], (typeof ROOMS)[0]]

const room = ({ id, name }: (typeof ROOMS)[number]) => ({ email: id, displayName: name, resource: true })
const staff = [...DOCTORS, NURSE].map(({ email, displayName }) => ({
  email,
  displayName,
  responseStatus: 'accepted' as const,
}))

/** Appointments of one doctor on one day, one after the other, with gaps and a lunch that nobody books. */
function appointments(doctor: (typeof DOCTORS)[number], day: number): SeedEvent[] {
  const { email, displayName, first, length, most } = doctor
  const [hour = 0, minute = 0] = first.split(':').map(Number)
  return Array.from({ length: most }, (_, nth) => nth)
    .filter((nth) => (nth * 5 + day * 3 + length) % 7 !== 0)
    .map((nth) => {
      const from = hour * 60 + minute + nth * length + (nth * length >= 180 ? 90 : 0)
      const patient = 1000 + ((nth * 37 + day * 101 + length) % 900)
      return {
        summary: `${pick(REASONS, nth + day * 2)} (patient ${patient})`,
        visibility: 'private' as const,
        ...timed(dayAfter(ANCHOR, day), `${padded(Math.floor(from / 60))}:${padded(from % 60)}`, length, ZONE),
        attendees: [
          { email, displayName, responseStatus: 'accepted' as const },
          room(doctor.room === 0 ? ROOM_1 : ROOM_2),
        ],
        extendedProperties: { shared: { patient: String(patient) } },
      }
    })
}

/** Two doctors, a nurse and a desk that books for them, and three rooms that answer by themselves. */
export function clinic(): Seed {
  const days = [0, 1, 2, 3, 4]
  const rounds: SeedEvent[] = [
    {
      id: 'handover0',
      summary: 'Handover',
      ...timed(ANCHOR, '08:15', 15, ZONE),
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      attendees: [...staff, room(ROOM_1)],
    },
    {
      recurringEventId: 'handover0',
      originalStartTime: { dateTime: `${dayAfter(ANCHOR, 3)}T08:15:00`, timeZone: ZONE },
      summary: 'Handover, with the new record system',
      ...timed(dayAfter(ANCHOR, 3), '07:45', 45, ZONE),
    },
    {
      id: 'bloods0',
      summary: 'Blood samples',
      ...timed(ANCHOR, '07:30', 45, ZONE),
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
      attendees: [{ ...NURSE, responseStatus: 'accepted' }, room(TREATMENT)],
    },
    { summary: 'Fire drill', ...timed(dayAfter(ANCHOR, 2), '12:15', 20, ZONE) },
    { summary: 'Lift out of order', transparency: 'transparent', ...allDay(dayAfter(ANCHOR, 1), 3) },
  ]
  const visits = days.flatMap((day) => DOCTORS.flatMap((doctor) => appointments(doctor, day)))
  return {
    anchor: ANCHOR,
    accounts: [
      {
        email: DESK,
        displayName: 'Front desk',
        timeZone: ZONE,
        settings: { weekStart: '1', format24HourTime: 'true' },
        calendarList: [
          ...DOCTORS.map(({ email }, at) => ({ id: email, colorId: pick(['9', '6'], at), selected: true })),
          ...ROOMS.map(({ id }) => ({ id, colorId: '19', selected: true })),
        ],
      },
      ...DOCTORS.map(({ email, displayName }) => ({ email, displayName, timeZone: ZONE })),
      { ...NURSE, timeZone: ZONE },
    ],
    calendars: [
      ...ROOMS.map(({ id, name }) => ({
        id,
        owner: DESK,
        summary: name,
        timeZone: ZONE,
        autoAcceptInvitations: true,
        acl: [{ role: 'reader', scope: { type: 'domain', value: 'clinic.example.com' } }],
      })),
      ...DOCTORS.map(({ email }, at) => ({
        id: email,
        acl: [{ role: 'writer', scope: { type: 'user', value: DESK } }],
        events: [
          {
            summary: 'Lunch',
            ...timed(ANCHOR, pick(['12:40', '13:00'], at), 45, ZONE),
            recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
          },
          {
            summary: pick(['Home visits', 'Teaching'], at),
            ...timed(dayAfter(ANCHOR, 2 + at), '16:00', 90, ZONE),
            recurrence: ['RRULE:FREQ=WEEKLY'],
          },
        ],
      })),
      { id: DESK, summary: 'Appointments', events: [...rounds, ...visits] },
    ],
  }
}
