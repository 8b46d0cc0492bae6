/**
 * The tasks by the tools of the service's own MCP server: in place of a model, and where its tools need it, another goal.
 * A task with `impossible` cannot be done with these tools.
 */
const at = (name) => `${name}@lumen.example.com`
const room = (name) => `c_lumenroom${name}3p7c0e5n@resource.calendar.google.com`
const ENGINEERING = 'Engineering'

/** Returns the one event of a window with a title. */
async function find(call, summary, startTime, endTime) {
  const { events = [] } = await call('list_events', { startTime, endTime })
  const found = events.find((event) => event.summary === summary)
  if (!found) throw new Error(`there is no event ${summary}`)
  return found
}

/** Returns true if all guests are free in a period, which is local to the user's zone. */
async function areFree(call, attendeeEmails, startTime, endTime, durationMinutes) {
  const { timeSlots = [] } = await call('suggest_time', { attendeeEmails, startTime, endTime, durationMinutes })
  return timeSlots.length > 0
}

export const SOLVERS = {
  'Book a lunch': {
    async solve(call) {
      await call('create_event', {
        summary: 'Lunch with Owen',
        startTime: '2030-03-08T12:30:00',
        endTime: '2030-03-08T13:30:00',
        attendees: [{ email: at('owen') }],
      })
    },
    // The tool adds the user as a guest.
    goal: [
      {
        ...{ change: 'added', kind: 'event', calendarId: at('nora') },
        where: {
          summary: 'Lunch with Owen',
          start: { dateTime: '2030-03-08T12:30:00-05:00' },
          end: { dateTime: '2030-03-08T13:30:00-05:00' },
          attendees: [
            { email: at('owen'), responseStatus: 'needsAction' },
            { email: at('nora'), responseStatus: 'accepted' },
          ],
        },
      },
    ],
  },
  'Decline with a note': {
    async solve(call) {
      const visit = await find(call, 'Visit: Nordbahn', '2030-03-11T00:00:00', '2030-03-16T00:00:00')
      const responseComment = 'I have an interview at that time.'
      await call('respond_to_event', { eventId: visit.id, responseStatus: 'declined', responseComment })
    },
  },
  'Enter a flight over two zones': {
    async solve(call) {
      await call('create_event', {
        summary: 'Flight BER to HND',
        startTime: '2030-03-22T13:05:00+01:00',
        endTime: '2030-03-23T09:40:00+09:00',
      })
    },
    // The tools have one zone for both times.
    goal: [
      {
        ...{ change: 'added', kind: 'event', calendarId: at('mateo') },
        where: {
          summary: 'Flight BER to HND',
          start: { dateTime: '2030-03-22T12:05:00Z' },
          end: { dateTime: '2030-03-23T00:40:00Z' },
        },
      },
    ],
  },
  'Move one instance of a series': {
    async solve(call) {
      const instance = await find(call, 'Lena / Felix', '2030-03-04T00:00:00', '2030-03-09T00:00:00')
      await call('update_event', { eventId: instance.id, startTime: '2030-03-06T15:00:00' })
    },
  },
  'Change a series from a date on': {
    impossible: 'No tool changes the recurrence of a series.',
  },
  'Move an event to another calendar': {
    async solve(call) {
      const interview = await find(call, 'Interview: mobile engineer', '2030-03-05T00:00:00', '2030-03-06T00:00:00')
      const { calendars } = await call('list_calendars', {})
      const { summary, start, end, visibility, guestPermissions, attendees } = await call('get_event', {
        eventId: interview.id,
      })
      await call('delete_event', { eventId: interview.id, notificationLevel: 'NONE' })
      await call('create_event', {
        calendarId: calendars.find((calendar) => calendar.summary === ENGINEERING).id,
        startTime: start.dateTime,
        endTime: end.dateTime,
        ...{ summary, visibility, guestPermissions },
        attendees: attendees.map(({ email, displayName, responseStatus }) => ({ email, displayName, responseStatus })),
        notificationLevel: 'NONE',
      })
    },
  },
  'Find a time for everybody': {
    async solve(call) {
      const review = await find(call, 'Portfolio review', '2030-03-11T00:00:00', '2030-03-16T00:00:00')
      const who = [at('sofia'), at('haruto'), room('havel')]
      for (const date of ['2030-03-14', '2030-03-15'])
        for (let minute = 9 * 60; minute <= 12 * 60; minute += 30) {
          const time = (minutes) =>
            `${date}T${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`
          const [startTime, endTime] = [time(minute), time(minute + 60)]
          if (!(await areFree(call, who, startTime, endTime, 60))) continue
          await call('update_event', { eventId: review.id, startTime, endTime })
          return
        }
      throw new Error('nobody has time')
    },
  },
  'Resolve a room conflict': {
    async solve(call) {
      const briefing = await find(call, 'Fire drill briefing', '2030-03-04T00:00:00', '2030-03-09T00:00:00')
      for (const [startTime, endTime] of [
        ['14:30', '15:00'],
        ['14:45', '15:15'],
        ['15:00', '15:30'],
      ].map((times) => times.map((time) => `2030-03-07T${time}:00`)))
        for (const name of ['bryant', 'hudson']) {
          if (!(await areFree(call, [room(name)], startTime, endTime, 30))) continue
          await call('update_event', {
            eventId: briefing.id,
            ...{ startTime, endTime },
            removedAttendeeEmails: [room('liberty')],
            addedAttendees: [{ email: room(name), resource: true }],
          })
          return
        }
      throw new Error('no room is free')
    },
  },
  'Go on after a quota error': {
    async solve(call) {
      const window = { startTime: '2030-03-05T00:00:00', endTime: '2030-03-20T00:00:00' }
      const { events } = await call('list_events', window)
      for (const { id } of events.filter(({ summary }) => summary.startsWith('Interview:')))
        for (let tries = 3; tries > 0; tries--)
          try {
            await call('delete_event', { eventId: id })
            break
          } catch (error) {
            if (tries === 1) throw error
          }
    },
  },
  'Recover a lost answer': {
    async solve(call) {
      const dinner = { startTime: '2030-03-14T19:00:00', endTime: '2030-03-14T21:00:00' }
      try {
        await call('create_event', { summary: 'Board dinner', ...dinner })
      } catch {
        // The event may exist although no answer came. A tool cannot choose its id, so the list shows whether it does.
        await find(call, 'Board dinner', dinner.startTime, dinner.endTime)
      }
    },
    goal: [
      {
        ...{ change: 'added', kind: 'event', calendarId: at('nora') },
        where: {
          summary: 'Board dinner',
          start: { dateTime: '2030-03-14T19:00:00-04:00' },
          end: { dateTime: '2030-03-14T21:00:00-04:00' },
        },
      },
    ],
  },
}
