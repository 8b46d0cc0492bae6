import { addDays, addMinutes, minutesOf, openCalendar } from './calendar.js'
import { runAsCommand } from './command.js'
import { SCHOOL_SOLVERS } from './school.js'

/**
 * An agent without a model that solves all tasks. It reads only the prompt and the calendar, as a model would. Each row is a
 * pattern of prompts and a function of the calendar and of the matched texts, which returns the answer.
 */
const SOLVERS = [
  ...SCHOOL_SOLVERS,
  [
    /^Book lunch with (\w+) on (\w+) at ([\d:]+), for an hour\.$/,
    async (calendar, name, day, time) => {
      const date = await calendar.findDate(day)
      await calendar.insert({
        summary: `Lunch with ${name}`,
        start: await calendar.at(date, time),
        end: await calendar.at(date, addMinutes(time, 60)),
        attendees: [{ email: await calendar.findAddress(name) }],
      })
    },
  ],
  [
    /^Decline the visit to (\w+) next week, with the note that (.*)$/,
    async (calendar, place, note) => {
      const visit = await calendar.findEvent(new RegExp(place), await calendar.findDate('Monday next week'), 7)
      await calendar.respond(visit, 'declined', note)
    },
  ],
  [
    /leaves on (.*) at ([\d:]+) \((\S+)\) and arrives on (\w+) at ([\d:]+) \((\S+)\)/,
    async (calendar, day, time, zone, _, arrival, arrivalZone) => {
      const date = await calendar.findDate(day)
      await calendar.insert({
        summary: 'Flight',
        start: await calendar.at(date, time, zone),
        end: await calendar.at(addDays(date, 1), arrival, arrivalZone),
      })
    },
  ],
  [
    /^Move my one-to-one with (\w+) this week to ([\d:]+) on the same day\.$/,
    async (calendar, name, time) => {
      const event = await calendar.findEvent(new RegExp(`/.*${name}`), await calendar.findDate('Monday'), 7)
      await move(calendar, event, event.start.dateTime.slice(0, 10), time)
    },
  ],
  [
    /^From next week on, my one-to-one with (\w+) is at ([\d:]+)\.$/,
    async (calendar, name, time) => {
      const first = await calendar.findEvent(new RegExp(`/.*${name}`), await calendar.findDate('Monday next week'), 7)
      const series = await calendar.request('GET', `/calendars/primary/events/${first.recurringEventId}`)
      const last = new Date(Date.parse(first.start.dateTime) - 86_400_000).toISOString()
      const until = `${last.slice(0, 19).replace(/[-:]/g, '')}Z`
      await calendar.patch(series, { recurrence: series.recurrence.map((line) => `${line};UNTIL=${until}`) })
      const date = first.start.dateTime.slice(0, 10)
      const { summary, recurrence, attendees } = series
      await calendar.insert({
        ...{ summary, recurrence },
        attendees: attendees.map(({ email }) => ({ email })),
        start: await calendar.at(date, time),
        end: await calendar.at(date, addMinutes(time, minutesOf(first))),
      })
    },
  ],
  [
    /^The interview (tomorrow) belongs into the calendar of (\w+)\./,
    async (calendar, day, name) => {
      const interview = await calendar.findEvent(/^Interview/, await calendar.findDate(day))
      const { items } = await calendar.request('GET', '/users/me/calendarList')
      const destination = items.find(({ summary }) => summary === name).id
      await calendar.request('POST', `/calendars/primary/events/${interview.id}/move`, undefined, { destination })
    },
  ],
  [
    /^The portfolio review .* (\w+) or (\w+) next week, on the half hour between ([\d:]+) and\s+([\d:]+), at which (\w+), the room \w+ \((\S+)\)/,
    async (calendar, first, second, from, to, name, room) => {
      const review = await calendar.findEvent(/Portfolio review/, await calendar.findDate('Monday next week'), 7)
      const guest = review.attendees.find(({ email }) => email.startsWith(name.toLowerCase()))
      const own = review.attendees.find(({ self }) => self)?.email ?? 'primary'
      for (const day of [first, second]) {
        const date = await calendar.findDate(`${day} next week`)
        for (let time = from.padStart(5, '0'); addMinutes(time, 60) <= to; time = addMinutes(time, 30)) {
          if (!(await calendar.areFree([own, guest.email, room], date, time, addMinutes(time, 60)))) continue
          return void (await move(calendar, review, date, time))
        }
      }
    },
  ],
  [
    /^(\w+) declined the fire drill briefing\. Book another room, at the same time: \w+\s+\((\S+)\) or \w+ \((\S+)\)/,
    async (calendar, declined, ...rooms) => {
      const briefing = await calendar.findEvent(/Fire drill briefing/, await calendar.findDate('Monday'), 7)
      const [date, time] = [briefing.start.dateTime.slice(0, 10), briefing.start.dateTime.slice(11, 16)]
      for (const email of rooms) {
        if (!(await calendar.areFree([email], date, time, addMinutes(time, minutesOf(briefing))))) continue
        const others = briefing.attendees.filter((guest) => !guest.email.includes(declined.toLowerCase()))
        return void (await calendar.patch(briefing, { attendees: [...others, { email }] }))
      }
    },
  ],
  [
    /^Cancel the next three interviews\.$/,
    async (calendar) => {
      const events = await calendar.listEvents(await calendar.findDate('tomorrow'), 21)
      const interviews = events.filter(({ summary }) => summary?.startsWith('Interview')).slice(0, 3)
      for (const interview of interviews) await retry(() => calendar.remove(interview))
    },
  ],
  [
    /^Book a (dinner) with the board on (.*) at ([\d:]+), for two hours\.$/,
    async (calendar, _, day, time) => {
      const date = await calendar.findDate(day)
      const dinner = {
        summary: 'Board dinner',
        start: await calendar.at(date, time),
        end: await calendar.at(date, addMinutes(time, 120)),
      }
      try {
        await calendar.insert(dinner)
      } catch {
        // The event may exist although no answer came.
        const events = await calendar.listEvents(date)
        if (!events.some(({ summary }) => summary === dinner.summary)) await calendar.insert(dinner)
      }
    },
  ],
  [
    /^Rename the design review on (\w+) to "(.*)"\.$/,
    async (calendar, day, summary) => {
      await calendar.patch(await calendar.findEvent(/Design review/, await calendar.findDate(day)), { summary })
    },
  ],
  [
    /^At what time does my (.*) begin on (\w+)\?/,
    async (calendar, name, day) => {
      const event = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      return event.start.dateTime.slice(11, 16)
    },
  ],
  [
    /^Cancel the (\w+) on (\w+)\.$/,
    async (calendar, name, day) => {
      await calendar.remove(await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day)))
    },
  ],
  [
    /^Invite (\w+) to the (.*) on (\w+) as well\.$/,
    async (calendar, name, title, day) => {
      const event = await calendar.findEvent(new RegExp(title, 'i'), await calendar.findDate(day))
      const guest = { email: await calendar.findAddress(name) }
      await calendar.patch(event, { attendees: [...event.attendees, guest] })
    },
  ],
  [
    /^Add an all-day event on (\S+): "(.*)"\.$/,
    async (calendar, date, summary) => {
      await calendar.insert({ summary, start: { date }, end: { date: addDays(date, 1) } })
    },
  ],
  [
    /^There is no (.*) on (\w+)\. Cancel that one alone\.$/,
    async (calendar, name, day) => {
      await calendar.remove(await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day)))
    },
  ],
  [
    /^Remind me of the (.*) on (\w+) by a popup (\d+) minutes before/,
    async (calendar, name, day, minutes) => {
      const event = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      const overrides = [{ method: 'popup', minutes: Number(minutes) }]
      await calendar.patch(event, { reminders: { useDefault: false, overrides } })
    },
  ],
  [
    /^Let (\w+) see all details of my calendar, but change nothing\.$/,
    async (calendar, name) => {
      const scope = { type: 'user', value: await calendar.findAddress(name) }
      await calendar.request('POST', '/calendars/primary/acl', { role: 'reader', scope })
    },
  ],
  [
    /^Book lunch with (\w+) on (\w+) at ([\d:]+) for an hour, by the tools of the MCP server\. .* answer "(.*)"\.$/s,
    async (calendar, name, day, time, refusal) => {
      const date = await calendar.findDate(day)
      const { isError } = await calendar.callTool('create_event', {
        summary: `Lunch with ${name}`,
        startTime: `${date}T${time}:00`,
        endTime: `${date}T${addMinutes(time, 60)}:00`,
        attendees: [{ email: await calendar.findAddress(name) }],
      })
      return isError ? refusal : 'booked'
    },
  ],
  [
    /^I am double booked on (\w+)\. Move the (.*) to the time right after the (.*), with its length unchanged\.$/,
    async (calendar, day, name, other) => {
      const date = await calendar.findDate(day)
      const event = await calendar.findEvent(new RegExp(name, 'i'), date)
      const { end } = await calendar.findEvent(new RegExp(other, 'i'), date)
      await move(calendar, event, date, end.dateTime.slice(11, 16))
    },
  ],
  [
    /^The (.*) is from now on at ([\d:]+) in the time zone (\S+), every week, for half an hour\./,
    async (calendar, name, time, zone) => {
      const next = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate('Monday'), 7)
      const series = await calendar.request('GET', `/calendars/primary/events/${next.recurringEventId}`)
      const date = series.start.dateTime.slice(0, 10)
      const [start, end] = [await calendar.at(date, time, zone), await calendar.at(date, addMinutes(time, 30), zone)]
      await calendar.patch(series, { start, end })
    },
  ],
  [
    /^Move my private appointment on (\w+) one hour later\./,
    async (calendar, day) => {
      const date = await calendar.findDate(day)
      const event = (await calendar.listEvents(date)).find(({ visibility }) => visibility === 'private')
      const time = addMinutes(event.start.dateTime.slice(11, 16), 60)
      await move(calendar, event, date, time)
      return time
    },
  ],
  [
    /^Book an hour for "(.*)" with (.*): the first on (\w+) or (\w+), on the full hour\s+between ([\d:]+) and ([\d:]+)/,
    async (calendar, summary, list, first, second, from, to) => {
      const names = list.split(/, | and /)
      const guests = await Promise.all(names.map((name) => calendar.findAddress(name)))
      for (const day of [first, second]) {
        const date = await calendar.findDate(day)
        for (let time = from.padStart(5, '0'); addMinutes(time, 60) <= to; time = addMinutes(time, 60)) {
          if (!(await calendar.areFree(['primary', ...guests], date, time, addMinutes(time, 60)))) continue
          const [start, end] = [await calendar.at(date, time), await calendar.at(date, addMinutes(time, 60))]
          const attendees = guests.map((email) => ({ email }))
          return void (await calendar.insert({ summary, start, end, attendees }))
        }
      }
    },
  ],
  [
    /^Who is the contact for the (.*) on (\w+)\?/,
    async (calendar, name, day) => {
      const { description } = await calendar.findEvent(new RegExp(name, 'i'), await calendar.findDate(day))
      return /Contact: ([^,]+),/.exec(description)?.[1]
    },
  ],
  [
    /^I am ill on (\w+)\./,
    async (calendar, day) => {
      const events = await calendar.listEvents(await calendar.findDate(day))
      for (const event of events)
        if (event.organizer.self) await calendar.remove(event)
        else await calendar.respond(event, 'declined')
    },
  ],
]

/** Moves an event to a local time, with its length unchanged. */
async function move(calendar, event, date, time) {
  const [start, end] = [await calendar.at(date, time), await calendar.at(date, addMinutes(time, minutesOf(event)))]
  await calendar.patch(event, { start, end })
}

async function retry(act, tries = 3) {
  try {
    return await act()
  } catch (error) {
    if (tries === 1) throw error
    return retry(act, tries - 1)
  }
}

export async function solve(attempt) {
  for (const [pattern, act] of SOLVERS) {
    const match = pattern.exec(attempt.prompt)
    if (match) return act(openCalendar(attempt), ...match.slice(1))
  }
  throw new Error(`no solver for: ${attempt.prompt}`)
}

await runAsCommand(import.meta.url, solve)
