/**
 * Ten tasks of rising difficulty for an agent in the demo world `company`, on Monday 4 March 2030. `prompt` is what a model would get,
 * `solve` is the scripted agent in its place, and `goal` lists the changes that must be in the world at the end, and no others.
 */
const at = (name) => `${name}@lumen.example.com`
const room = (name) => `c_lumenroom${name}3p7c0e5n@resource.calendar.google.com`
const NEW_YORK = 'America/New_York'
const BERLIN = 'Europe/Berlin'
const own = { calendarId: 'primary' }

/** Returns the one event of a list with a title. */
async function find(call, summary, timeMin, timeMax) {
  const { events } = await call('list-events', { ...own, timeMin, timeMax })
  const found = events.find((event) => event.summary === summary)
  if (!found) throw new Error(`there is no event ${summary}`)
  return found
}

/** Returns true if all calendars are free in a period. */
async function areFree(call, ids, timeMin, timeMax, timeZone) {
  const calendars = ids.map((id) => ({ id }))
  const reply = await call('get-freebusy', { calendars, timeMin, timeMax, timeZone })
  return Object.values(reply.calendars).every(({ busy, errors }) => busy.length === 0 && !errors?.length)
}

export const TASKS = [
  {
    title: 'Book a lunch',
    account: at('nora'),
    prompt: 'Book lunch with Owen on Friday at 12:30, for an hour.',
    async solve(call) {
      await call('create-event', {
        ...own,
        summary: 'Lunch with Owen',
        start: '2030-03-08T12:30:00',
        end: '2030-03-08T13:30:00',
        timeZone: NEW_YORK,
        attendees: [{ email: at('owen') }],
      })
    },
    goal: [
      {
        ...{ change: 'added', kind: 'event', calendarId: at('nora') },
        where: {
          summary: 'Lunch with Owen',
          start: { dateTime: '2030-03-08T12:30:00-05:00' },
          end: { dateTime: '2030-03-08T13:30:00-05:00' },
          attendees: [{ email: at('owen'), responseStatus: 'needsAction' }],
        },
      },
    ],
  },
  {
    title: 'Decline with a note',
    account: at('lena'),
    prompt: 'Decline the visit to Nordbahn next week, and say that you have an interview.',
    async solve(call) {
      const visit = await find(call, 'Visit: Nordbahn', '2030-03-11T00:00:00', '2030-03-16T00:00:00')
      const comment = 'I have an interview at that time.'
      await call('respond-to-event', { ...own, eventId: visit.id, response: 'declined', comment })
    },
    goal: [
      {
        ...{ change: 'changed', kind: 'event', title: 'Visit: Nordbahn' },
        fields: {
          [`attendees[${at('lena')}].responseStatus`]: ['accepted', 'declined'],
          [`attendees[${at('lena')}].comment`]: [null, 'I have an interview at that time.'],
        },
      },
    ],
  },
  {
    title: 'Enter a flight over two zones',
    account: at('mateo'),
    prompt: 'Enter my flight to Tokyo: from Berlin on Friday next week at 13:05, there on Saturday at 09:40.',
    async solve(call) {
      await call('create-event', {
        ...own,
        summary: 'Flight BER to HND',
        start: JSON.stringify({ dateTime: '2030-03-22T13:05:00', timeZone: BERLIN }),
        end: JSON.stringify({ dateTime: '2030-03-23T09:40:00', timeZone: 'Asia/Tokyo' }),
      })
    },
    goal: [
      {
        ...{ change: 'added', kind: 'event', calendarId: at('mateo') },
        where: {
          summary: 'Flight BER to HND',
          start: { dateTime: '2030-03-22T12:05:00Z', timeZone: BERLIN },
          end: { dateTime: '2030-03-23T00:40:00Z', timeZone: 'Asia/Tokyo' },
        },
      },
    ],
  },
  {
    title: 'Move one instance of a series',
    account: at('lena'),
    prompt: 'Move my one-to-one with Felix this week to 15:00 on the same day.',
    async solve(call) {
      const instance = await find(call, 'Lena / Felix', '2030-03-04T00:00:00', '2030-03-09T00:00:00')
      await call('update-event', {
        ...own,
        eventId: instance.recurringEventId,
        modificationScope: 'thisEventOnly',
        originalStartTime: instance.start.dateTime,
        start: '2030-03-06T15:00:00',
        end: '2030-03-06T15:30:00',
        timeZone: BERLIN,
      })
    },
    goal: [
      {
        ...{ change: 'changed', kind: 'event', title: 'Lena / Felix' },
        fields: {
          'start.dateTime': ['2030-03-06T10:30:00+01:00', '2030-03-06T15:00:00+01:00'],
          'end.dateTime': ['2030-03-06T11:00:00+01:00', '2030-03-06T15:30:00+01:00'],
          [`attendees[${at('felix')}].responseStatus`]: ['accepted', 'needsAction'],
        },
      },
    ],
  },
  {
    title: 'Change a series from a date on',
    account: at('nora'),
    prompt: 'From next week on, my one-to-one with Owen is at 11:00.',
    async solve(call) {
      const instance = await find(call, 'Nora / Owen', '2030-03-11T00:00:00', '2030-03-16T00:00:00')
      await call('update-event', {
        ...own,
        eventId: instance.recurringEventId,
        modificationScope: 'thisAndFollowing',
        futureStartDate: instance.start.dateTime,
        start: '2030-03-14T11:00:00',
        end: '2030-03-14T11:30:00',
        timeZone: NEW_YORK,
      })
    },
    goal: [
      {
        ...{ change: 'changed', kind: 'event', title: 'Nora / Owen' },

        fields: { recurrence: { contains: 'RRULE:FREQ=WEEKLY;UNTIL=20300313T140000Z' } },
      },
      {
        ...{ change: 'added', kind: 'event', calendarId: at('nora') },
        where: {
          summary: 'Nora / Owen',
          start: { dateTime: '2030-03-14T11:00:00-04:00', timeZone: NEW_YORK },
          end: { dateTime: '2030-03-14T11:30:00-04:00', timeZone: NEW_YORK },
          recurrence: { contains: 'RRULE:FREQ=WEEKLY' },
          attendees: [{ email: at('owen') }],
        },
      },
    ],
  },
  {
    title: 'Move an event to another calendar',
    account: at('lena'),
    prompt: 'The interview tomorrow belongs into the calendar of Engineering. Move it there.',
    async solve(call) {
      const interview = await find(call, 'Interview: mobile engineer', '2030-03-05T00:00:00', '2030-03-06T00:00:00')
      const { calendars } = await call('list-calendars', {})
      const engineering = calendars.find(({ summary }) => summary === 'Engineering')
      const { event } = await call('get-event', {
        ...own,
        eventId: interview.id,
        fields: ['attendees', 'visibility', 'guestsCanSeeOtherGuests'],
      })
      // The server has no tool for events.move.
      await call('delete-event', { ...own, eventId: interview.id, sendUpdates: 'none' })
      await call('create-event', {
        calendarId: engineering.id,
        summary: event.summary,
        start: event.start.dateTime,
        end: event.end.dateTime,
        visibility: event.visibility,
        guestsCanSeeOtherGuests: event.guestsCanSeeOtherGuests,
        attendees: event.attendees.map(({ email, displayName, responseStatus }) => ({
          email,
          displayName,
          responseStatus,
        })),
        sendUpdates: 'none',
        allowDuplicates: true,
      })
    },
    goal: [
      { change: 'deleted', kind: 'event', calendarId: at('lena'), title: 'Interview: mobile engineer' },
      {
        ...{
          change: 'added',
          kind: 'event',
          calendarId: 'c_lumenengineering4q9v0t2ek6m8sd1hb7@group.calendar.google.com',
        },
        where: {
          summary: 'Interview: mobile engineer',
          start: { dateTime: '2030-03-05T17:00:00+01:00' },
          end: { dateTime: '2030-03-05T18:00:00+01:00' },
          visibility: 'private',
          guestsCanSeeOtherGuests: false,
          attendees: [
            { email: at('yusuf'), responseStatus: 'accepted' },
            { email: 'j.abara@mail.example.net', responseStatus: 'accepted' },
            { email: room('havel'), responseStatus: 'accepted' },
          ],
        },
      },
    ],
  },
  {
    title: 'Find a time for everybody',
    account: at('sofia'),
    prompt:
      'The portfolio review has no room. Move it to the first hour of Thursday or Friday next week, on the half hour between 9:00 and 13:00, at which Haruto, Havel and I are free.',
    async solve(call) {
      const review = await find(call, 'Portfolio review', '2030-03-11T00:00:00', '2030-03-16T00:00:00')
      const who = [at('sofia'), at('haruto'), room('havel')]
      for (const date of ['2030-03-14', '2030-03-15'])
        for (let minute = 9 * 60; minute <= 12 * 60; minute += 30) {
          const time = (minutes) =>
            `${date}T${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`
          const [start, end] = [time(minute), time(minute + 60)]
          if (!(await areFree(call, who, `${start}+01:00`, `${end}+01:00`, BERLIN))) continue
          await call('update-event', { ...own, eventId: review.id, start, end, timeZone: BERLIN })
          return
        }
      throw new Error('nobody has time')
    },
    // Haruto has focus time until 17:30 in Tokyo, and the stand-up of this day is cancelled.
    goal: [
      {
        ...{ change: 'changed', kind: 'event', title: 'Portfolio review' },
        fields: {
          'start.dateTime': ['2030-03-12T17:30:00+01:00', '2030-03-14T09:30:00+01:00'],
          'end.dateTime': ['2030-03-12T18:30:00+01:00', '2030-03-14T10:30:00+01:00'],
          [`attendees[${at('haruto')}].responseStatus`]: ['accepted', 'needsAction'],
          [`attendees[${room('havel')}].responseStatus`]: ['declined', 'accepted'],
        },
      },
    ],
  },
  {
    title: 'Resolve a room conflict',
    account: at('owen'),
    prompt:
      'Liberty declined the fire drill briefing. Book another room in New York; it may begin up to 30 minutes later.',
    async solve(call) {
      const briefing = await find(call, 'Fire drill briefing', '2030-03-04T00:00:00', '2030-03-09T00:00:00')
      const guests = briefing.attendees.filter(({ email }) => email !== room('liberty')).map(({ email }) => ({ email }))
      for (const [start, end] of [
        ['14:30', '15:00'],
        ['14:45', '15:15'],
        ['15:00', '15:30'],
      ].map((times) => times.map((time) => `2030-03-07T${time}:00`)))
        for (const name of ['bryant', 'hudson']) {
          if (!(await areFree(call, [room(name)], `${start}-05:00`, `${end}-05:00`, NEW_YORK))) continue
          const attendees = [...guests, { email: room(name) }]
          await call('update-event', { ...own, eventId: briefing.id, start, end, timeZone: NEW_YORK, attendees })
          return
        }
      throw new Error('no room is free')
    },
    goal: [
      {
        ...{ change: 'changed', kind: 'event', title: 'Fire drill briefing' },
        fields: {
          [`attendees[${room('liberty')}]`]: null,
          [`attendees[${room('bryant')}]`]: { email: room('bryant'), responseStatus: 'accepted' },
        },
      },
    ],
  },
  {
    title: 'Go on after a quota error',
    account: at('lena'),
    prompt: 'Cancel the next three interviews.',
    faults: [{ on: 'events.delete', skip: 1, do: { fail: 'rateLimitExceeded' } }],
    async solve(call) {
      const { events } = await call('list-events', {
        ...own,
        timeMin: '2030-03-05T00:00:00',
        timeMax: '2030-03-20T00:00:00',
      })
      for (const { id } of events.filter(({ summary }) => summary.startsWith('Interview:')))
        for (let tries = 3; tries > 0; tries--)
          try {
            await call('delete-event', { ...own, eventId: id })
            break
          } catch (error) {
            if (tries === 1) throw error
          }
    },
    goal: ['mobile engineer', 'data engineer', 'site reliability engineer'].map((job) => ({
      change: 'deleted',
      kind: 'event',
      title: `Interview: ${job}`,
    })),
  },
  {
    title: 'Recover a lost answer',
    account: at('nora'),
    prompt: 'Book dinner with the board next Thursday at 19:00, for two hours.',
    faults: [{ on: 'events.insert', do: { answerLost: true } }],
    async solve(call) {
      const eventId = 'boarddinner20300314'
      const dinner = {
        ...own,
        eventId,
        summary: 'Board dinner',
        start: '2030-03-14T19:00:00',
        end: '2030-03-14T21:00:00',
        timeZone: NEW_YORK,
      }
      try {
        await call('create-event', dinner)
      } catch {
        // The event may exist although no answer came. Its id shows whether it does.
        await call('get-event', { ...own, eventId })
      }
    },
    goal: [
      {
        ...{ change: 'added', kind: 'event', id: 'boarddinner20300314' },
        where: {
          summary: 'Board dinner',
          start: { dateTime: '2030-03-14T19:00:00-04:00' },
          end: { dateTime: '2030-03-14T21:00:00-04:00' },
        },
      },
    ],
  },
]
