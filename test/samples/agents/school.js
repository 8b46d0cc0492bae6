import { addDays, addMinutes, minutesOf, spread } from './calendar.js'

/** How the agent without a model solves the tasks in the school of music: patterns of prompts, as in `scripted.js`. */
export const SCHOOL_SOLVERS = [
  [
    /^How many appointments do I have in my own calendar on ([\d-]+),/,
    async (calendar, date) => (await calendar.listEvents(date)).length,
  ],
  [
    /^Who is invited to the (.*) on (\w+), apart from me\?/,
    async (calendar, name, day) => {
      const { attendees } = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      return attendees.flatMap(({ email, self }) => (self ? [] : [email])).join('\n')
    },
  ],
  [
    /^On which date is the (.*)\? It is in the calendar of (\w+)\./,
    async (calendar, name, owner) => {
      const id = await calendar.findCalendar(owner)
      const { items } = await calendar.request('GET', `/calendars/${encodeURIComponent(id)}/events`, undefined, {
        q: name,
      })
      return items[0].start.dateTime.slice(0, 10)
    },
  ],
  [
    /^I work from home on ([\d-]+),/,
    async (calendar, date) => {
      await calendar.insert({
        ...{ eventType: 'workingLocation', summary: 'Home', visibility: 'public', transparency: 'transparent' },
        ...{ start: { date }, end: { date: addDays(date, 1) } },
        workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
      })
    },
  ],
  [
    /^The (.*) on (\w+) is in the (.*)\. Write it into the event\.$/,
    async (calendar, name, day, location) => {
      await calendar.patch(await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day)), { location })
    },
  ],
  [
    /^Book "(.*)" on ([\d-]+) from ([\d:]+) to ([\d:]+), with (\w+) and (\w+)\.$/,
    async (calendar, summary, date, from, to, ...names) => {
      const emails = await Promise.all(names.map(calendar.findAddress))
      await calendar.callTool('create_event', {
        ...{ summary, startTime: `${date}T${from}:00`, endTime: `${date}T${to}:00` },
        attendees: emails.map((email) => ({ email })),
      })
    },
  ],
  [
    /^Accept the (.*) on (\w+)\.$/,
    async (calendar, name, day) => {
      const { id } = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      await calendar.callTool('respond_to_event', { eventId: id, responseStatus: 'accepted' })
    },
  ],
  [
    /^Create a calendar with the name "(.*)"\.$/,
    async (calendar, summary) => {
      await calendar.request('POST', '/calendars', { summary })
    },
  ],
  [
    /^Make the (.*) on (\w+) private\.$/,
    async (calendar, name, day) => {
      const event = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      await calendar.patch(event, { visibility: 'private' })
    },
  ],
  [
    /^Rename the calendar "(.*)" to "(.*)"\.$/,
    async (calendar, name, summary) => {
      await calendar.request('PATCH', `/calendars/${encodeURIComponent(await calendar.findCalendar(name))}`, {
        summary,
      })
    },
  ],
  [
    /^Book an hour with (\w+) for "(.*)" on ([\d-]+), at any time between ([\d:]+) and ([\d:]+)/,
    async (calendar, name, summary, date, from, to) => {
      const guest = await calendar.findAddress(name)
      for (const time of spread(from, to, 60, 30))
        if (await calendar.areFree(['primary', guest], date, time, addMinutes(time, 60)))
          return void (await calendar.book(summary, date, time, addMinutes(time, 60), [guest]))
    },
  ],
  [
    /^Create a calendar "(.*)", and give (\w+) the right .* "(.*)" takes place every weekday from ([\d-]+)\s+on, at ([\d:]+) for half an hour, ten times\. That of ([\d-]+) does not take place\.$/,
    async (calendar, title, name, summary, date, time, left) => {
      const { id } = await calendar.request('POST', '/calendars', { summary: title })
      const scope = { type: 'user', value: await calendar.findAddress(name) }
      await calendar.request('POST', `/calendars/${id}/acl`, { role: 'writer', scope })
      const start = await calendar.at(date, time.padStart(5, '0'))
      const end = await calendar.at(date, addMinutes(time, 30))
      const recurrence = ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10']
      const series = await calendar.request('POST', `/calendars/${id}/events`, { summary, start, end, recurrence })
      const { items } = await calendar.request('GET', `/calendars/${id}/events/${series.id}/instances`)
      const instance = items.find(({ originalStartTime }) => originalStartTime.dateTime.startsWith(left))
      await calendar.request('DELETE', `/calendars/${id}/events/${instance.id}`)
    },
  ],
  [
    /^In the calendar of (\w+), enter "(.*)", every Tuesday and Thursday from ([\d:]+) to ([\d:]+), the first on ([\d-]+), the last on ([\d-]+)\.$/,
    async (calendar, name, summary, from, to, first, last) => {
      const [start, end] = [await calendar.at(first, from), await calendar.at(first, to)]
      const recurrence = [`RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=${addDays(last, 1).replace(/-/g, '')}T000000Z`]
      const id = encodeURIComponent(await calendar.findCalendar(name))
      await calendar.request('POST', `/calendars/${id}/events`, { summary, start, end, recurrence })
    },
  ],
  [
    /^On (\w+) a lesson of the calendar "(.*)" overlaps/,
    async (calendar, day, name) => {
      const date = await calendar.findDate(day)
      const id = await calendar.findCalendar(name)
      const own = await calendar.listEvents(date)
      for (const lesson of await calendar.listEvents(date, 1, id)) {
        const overlapped = own.find(
          ({ start, end }) => start.dateTime < lesson.end.dateTime && end.dateTime > lesson.start.dateTime,
        )
        if (!overlapped) continue
        const time = overlapped.end.dateTime.slice(11, 16)
        const start = await calendar.at(date, time)
        const end = await calendar.at(date, addMinutes(time, minutesOf(lesson)))
        await calendar.request('PATCH', `/calendars/${encodeURIComponent(id)}/events/${lesson.id}`, { start, end })
        return lesson.summary
      }
    },
  ],
  [
    /^If (\w+) is free on ([\d-]+) from ([\d:]+) to ([\d:]+), book "(.*)" with (?:him|her|them) then\./,
    async (calendar, name, date, from, to, summary) => {
      const guest = await calendar.findAddress(name)
      if (!(await calendar.areFree([guest], date, from, to))) return 'not booked'
      await calendar.book(summary, date, from, to, [guest])
      return 'booked'
    },
  ],
  [
    /^I cancelled the (.*) of (\w+) by mistake\./,
    async (calendar, name, day) => {
      const date = await calendar.findDate(day)
      const events = await calendar.listEvents(date, 1, 'primary', { showDeleted: 'true' })
      await calendar.patch(
        events.find(({ summary }) => summary?.toLowerCase() === name),
        { status: 'confirmed' },
      )
    },
  ],
  [
    /^The (.*) of ([\d-]+) was cancelled, but takes place after all\./,
    async (calendar, name, date) => {
      const { recurringEventId } = await calendar.findEvent(new RegExp(name, 'i'), addDays(date, -7), 14)
      const path = `/calendars/primary/events/${recurringEventId}/instances`
      const { items } = await calendar.request('GET', path, undefined, { showDeleted: 'true' })
      const instance = items.find(({ originalStartTime }) => originalStartTime.dateTime.startsWith(date))
      await calendar.patch(instance, { status: 'confirmed' })
    },
  ],
  [
    /^Book the \w+ from ([\d:]+) to ([\d:]+), with the title "(.*)"\. Ask me for the day/,
    async (calendar, from, to, summary) => {
      const [date] = /\d{4}-\d\d-\d\d/.exec(await calendar.say('On which day?')) ?? []
      await calendar.book(summary, date, from, to)
    },
  ],
  [
    /^Cancel the (.*) of (\w+)\. If there are several, ask me which, by their places\.$/,
    async (calendar, name, day) => {
      const events = await calendar.listEvents(await calendar.findDate(day))
      const found = events.filter(({ summary }) => summary?.toLowerCase() === name)
      const places = found.map(({ location = 'no place' }) => location)
      const reply = found.length === 1 ? '' : (await calendar.say(`Which: ${places.join(' or ')}?`)).toLowerCase()
      await calendar.remove(found[places.findIndex((place) => reply.includes(place.toLowerCase()))] ?? found[0])
    },
  ],
  [
    /^(\w+) has written to me about a (\w+)\. Read .* mail with the tool read_inbox/,
    async (calendar, name) => {
      const { text } = await calendar.callTool('read_inbox', { from: name })
      const [, date, from, to, place, title] =
        /on ([\d-]+) from ([\d:]+) to ([\d:]+) in the (\w+)\. Title: (\w+)\./.exec(text) ?? []
      await calendar.book(title, date, from, to, [], { location: place })
    },
  ],
  [
    /^Cancel the (.*) of ([\d-]+) alone, and let its guests know by mail\.$/,
    async (calendar, name, date) => {
      const { id } = await calendar.findEvent(new RegExp(name, 'i'), date)
      await calendar.callTool('delete_event', { eventId: id, notificationLevel: 'ALL' })
    },
  ],
  [
    /^In the (.*) on (\w+), (\w+) takes the place of (\w+)\.$/,
    async (calendar, name, day, comer, leaver) => {
      const { id } = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      await calendar.callTool('update_event', {
        eventId: id,
        addedAttendees: [{ email: await calendar.findAddress(comer) }],
        removedAttendeeEmails: [await calendar.findAddress(leaver)],
      })
    },
  ],
  [
    /^(\w+) must not see or change the calendar "(.*)" any more\.$/,
    async (calendar, name, title) => {
      const id = encodeURIComponent(await calendar.findCalendar(title))
      await calendar.request('DELETE', `/calendars/${id}/acl/user:${await calendar.findAddress(name)}`)
    },
  ],
  [
    /^For all events of the calendar "(.*)" .* popup (\d+) minutes before/,
    async (calendar, name, minutes) => {
      const id = encodeURIComponent(await calendar.findCalendar(name))
      const defaultReminders = [{ method: 'popup', minutes: Number(minutes) }]
      await calendar.request('PATCH', `/users/me/calendarList/${id}`, { defaultReminders })
    },
  ],
  [
    /^I am out of office on ([\d-]+), from ([\d:]+) to ([\d:]+)\./,
    async (calendar, date, from, to) => {
      await calendar.book('Away', date, from.padStart(5, '0'), to, undefined, {
        eventType: 'outOfOffice',
        outOfOfficeProperties: {
          autoDeclineMode: 'declineOnlyNewConflictingInvitations',
          declineMessage: 'I am away.',
        },
      })
    },
  ],
  [
    /^The (.*)s end with that of ([\d-]+)\./,
    async (calendar, name, date) => {
      const last = await calendar.findEvent(new RegExp(name, 'i'), date)
      const series = await calendar.request('GET', `/calendars/primary/events/${last.recurringEventId}`)
      const until = new Date(last.start.dateTime).toISOString().replace(/[-:]|\.000/g, '')
      await calendar.patch(series, { recurrence: series.recurrence.map((line) => `${line};UNTIL=${until}`) })
    },
  ],
  [
    /^How many minutes do the lessons of the calendar "(.*)" take from ([\d-]+) to ([\d-]+) in all\?/,
    async (calendar, name, from, to) => {
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
      const lessons = await calendar.listEvents(from, days, await calendar.findCalendar(name))
      return lessons.reduce((sum, lesson) => sum + minutesOf(lesson), 0)
    },
  ],
  [
    /^Book 90 minutes for "(.*)" with (\w+), (\w+) and (\w+): the first time on ([\d-]+) or ([\d-]+), on the full or half hour\s+between ([\d:]+) and ([\d:]+)/,
    async (calendar, summary, ...given) => {
      const guests = await Promise.all(given.slice(0, 3).map(calendar.findAddress))
      const [first, second, from, to] = given.slice(3)
      for (const date of [first, second])
        for (const time of spread(from, to, 90, 30))
          if (await calendar.areFree(['primary', ...guests], date, time, addMinutes(time, 90)))
            return void (await calendar.book(summary, date, time, addMinutes(time, 90), guests))
    },
  ],
  [
    /^An appointment of (\w+) stands twice in my calendar\./,
    async (calendar, day) => {
      const events = await calendar.listEvents(await calendar.findDate(day))
      const keyOf = ({ summary, start }) => `${summary} ${start.dateTime}`
      const twice = events.filter((one) => events.some((other) => other !== one && keyOf(other) === keyOf(one)))
      await calendar.remove(twice.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length)[0])
    },
  ],
  [
    /^What is the name of the applicant in the (\w+) on (\w+)\?/,
    async (calendar, name, day) => {
      const { description } = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      return /The applicant is ([^.]+)\./.exec(description)?.[1]
    },
  ],
  [
    /^Who has declined the (\w+) on (\w+)\? Answer with the address, and invite (\w+) to it in addition\.$/,
    async (calendar, name, day, guest) => {
      const event = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      await calendar.patch(event, { attendees: [...event.attendees, { email: await calendar.findAddress(guest) }] })
      return event.attendees.find(({ responseStatus }) => responseStatus === 'declined').email
    },
  ],
  [
    /^Read the mail of the (.*) with the tool read_inbox, and enter his visit with the title "(.*)"/,
    async (calendar, from, title) => {
      const { text } = await calendar.callTool('read_inbox', { from })
      const [, date, time] = /I come on ([\d-]+) at ([\d:]+), for two hours\./.exec(text) ?? []
      await calendar.book(title, date, time, addMinutes(time, 120))
    },
  ],
  [
    /^I cannot work on (\w+)\. Move each appointment of that day .* to the same time of ([\d-]+), and\s+decline/,
    async (calendar, day, target) => {
      for (const event of await calendar.listEvents(await calendar.findDate(day))) {
        if (!event.organizer.self) await calendar.respond(event, 'declined')
        else {
          const [start, end] = [event.start, event.end].map(({ dateTime }) => dateTime.slice(11, 16))
          await calendar.patch(event, { start: await calendar.at(target, start), end: await calendar.at(target, end) })
        }
      }
    },
  ],
  [
    /^Look into the calendar of \w+ \((\S+)\)\. If she has a (.*) in the week of ([\d-]+), book "(.*)" in my calendar/,
    async (calendar, owner, name, monday, summary) => {
      const events = await calendar.listEvents(monday, 7, owner)
      const found = events.find((event) => event.summary?.toLowerCase() === name)
      if (!found) return 'no interview'
      const { location } = await calendar.findEvent(/Choir/, await calendar.findDate('Monday'))
      const [date, time] = [found.end.dateTime.slice(0, 10), found.end.dateTime.slice(11, 16)]
      await calendar.book(summary, date, time, addMinutes(time, 30), [owner], { location })
    },
  ],
]
