/** The calls and dates that the scripted agents need. `attempt` is what an agent gets from an evaluation. */
export function openCalendar({ rest, mcp, fetch, now, say }) {
  async function request(method, path, body, query = {}) {
    const init = {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }
    const reply = await fetch(`${rest}${path}?${new URLSearchParams(query)}`, init)
    const text = await reply.text()
    if (!reply.ok) throw Object.assign(new Error(`${method} ${path}: ${text}`), { status: reply.status })
    return text === '' ? {} : JSON.parse(text)
  }

  /** Calls a tool of the MCP server. Returns its text. */
  async function callTool(name, given) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const params = { name, arguments: given }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { result, error } = await (await fetch(mcp, { method: 'POST', headers, body })).json()
    if (error) throw new Error(error.message)
    return { isError: result.isError === true, text: result.content.map(({ text }) => text).join('\n') }
  }

  let zone
  /** Returns the time zone of the account. */
  const getZone = async () => (zone ??= (await request('GET', '/users/me/settings/timezone')).value)

  /** Returns the date of a day in words: `tomorrow`, `Friday`, `Thursday next week`. */
  async function findDate(words) {
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: await getZone(), dateStyle: 'short' }).format(
      new Date(now),
    )
    if (/tomorrow/i.test(words)) return addDays(today, 1)
    const day = DAYS.findIndex((name) => words.toLowerCase().includes(name))
    const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7))
    return addDays(monday, day + (/next week/i.test(words) ? 7 : 0))
  }

  /** Lists the instances that start on a date, or on one of `days` days. */
  async function listEvents(date, days = 1, calendarId = 'primary', more = {}) {
    const query = {
      ...more,
      ...{ singleEvents: 'true', orderBy: 'startTime' },
      ...{ timeMin: `${addDays(date, -1)}T00:00:00Z`, timeMax: `${addDays(date, days + 1)}T00:00:00Z` },
    }
    const { items } = await request('GET', `/calendars/${encodeURIComponent(calendarId)}/events`, undefined, query)
    const startOf = ({ start }) => (start.dateTime ?? start.date).slice(0, 10)
    return items.filter((event) => startOf(event) >= date && startOf(event) < addDays(date, days))
  }

  async function findEvent(pattern, date, days) {
    const found = (await listEvents(date, days)).find(({ summary }) => pattern.test(summary ?? ''))
    if (!found) throw new Error(`there is no event ${pattern}`)
    return found
  }

  /** Returns the address of a person by the first name, from the guests of events around now. */
  async function findAddress(name) {
    const events = await listEvents(addDays(now.slice(0, 10), -7), 21)
    const guests = events.flatMap(({ attendees = [], organizer }) => [...attendees, organizer ?? {}])
    const found = guests.find(({ email = '' }) => email.startsWith(`${name.toLowerCase()}@`))
    if (!found) throw new Error(`nobody is called ${name}`)
    return found.email
  }

  /** Returns the id of a calendar of the list by its title. */
  async function findCalendar(title) {
    const { items } = await request('GET', '/users/me/calendarList')
    const found = items.find(({ summary }) => summary === title)
    if (!found) throw new Error(`there is no calendar ${title}`)
    return found.id
  }

  const eventPath = ({ id }) => `/calendars/primary/events/${id}`
  const patch = (event, body, query) => request('PATCH', eventPath(event), body, query)
  const remove = (event) => request('DELETE', eventPath(event))
  const insert = (event) => request('POST', '/calendars/primary/events', event)

  /** Returns a time of the account's zone, or of another. */
  const at = async (date, time, timeZone) => ({
    dateTime: `${date}T${time}:00`,
    timeZone: timeZone ?? (await getZone()),
  })

  /** Enters an appointment in the account's zone, with guests by their addresses. */
  async function book(summary, date, from, to, guests = [], more = {}) {
    const [start, end] = [await at(date, from), await at(date, to)]
    const attendees = guests.map((email) => ({ email }))
    await insert({ summary, start, end, ...(guests.length > 0 && { attendees }), ...more })
  }

  /** Answers an invitation. */
  const respond = (event, responseStatus, comment) =>
    patch(event, {
      attendees: event.attendees.map((guest) => (guest.self ? { ...guest, responseStatus, comment } : guest)),
    })

  async function areFree(calendars, date, from, to) {
    const timeZone = await getZone()
    const query = { timeMin: toInstant(date, from, timeZone), timeMax: toInstant(date, to, timeZone) }
    const reply = await request('POST', '/freeBusy', { ...query, items: calendars.map((id) => ({ id })) })
    return Object.values(reply.calendars).every(({ busy, errors }) => busy.length === 0 && !errors?.length)
  }

  return {
    request,
    callTool,
    findDate,
    listEvents,
    findEvent,
    findAddress,
    findCalendar,
    book,
    say,
    patch,
    remove,
    insert,
    at,
    respond,
    areFree,
  }
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

export const addDays = (date, days) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Adds minutes to `HH:MM`. */
export function addMinutes(time, minutes) {
  const [hour, minute] = time.split(':').map(Number)
  const sum = hour * 60 + minute + minutes
  return [Math.floor(sum / 60), sum % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Lists the times from one time on at which `length` minutes end by another, in steps of minutes. */
export function spread(from, to, length, step) {
  const times = []
  for (let time = from.padStart(5, '0'); addMinutes(time, length) <= to; time = addMinutes(time, step)) times.push(time)
  return times
}

/** Returns the instant of a local time, whose zone has no change of clocks within a day. */
function toInstant(date, time, timeZone) {
  const guess = Date.parse(`${date}T${time}:00Z`)
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(guess)
  return new Date(2 * guess - Date.parse(`${local.replace(' ', 'T')}Z`)).toISOString()
}

export const minutesOf = ({ start, end }) => (Date.parse(end.dateTime) - Date.parse(start.dateTime)) / 60_000
