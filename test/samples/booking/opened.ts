import { onTestFinished } from 'vitest'
import { createFakeCalendar, type FakeCalendar } from '../../../src/index.ts'
import type { Wish } from './bookings.ts'
import { BookingService } from './service.ts'
import { HOUR, type Span, type Time } from './time.ts'

/** The host of the calendar, and two customers. */
export const DANA = 'dana@example.com'
export const BOB = 'bob@example.com'
export const CAROL = 'carol@example.com'

const ACCOUNT = { account: DANA, scopes: ['https://www.googleapis.com/auth/calendar'] }
const grant = (refreshToken: string) => ({ client: 'booking', refreshToken, ...ACCOUNT })

const seed = {
  accounts: [{ email: DANA, timeZone: 'Europe/Berlin' }, { email: BOB }, { email: CAROL }],
  oauth: { clients: [{ id: 'booking', secret: 'hush' }], grants: [grant('1//first')] },
}

/** The world's clock as the service's: a sleep advances it, and runs the actions that become due. */
export function clockwork(fake: FakeCalendar) {
  const timers = new Set<{ due: number; act: () => void }>()
  async function move(length: number, done: () => Promise<void> = async () => {}): Promise<void> {
    const until = fake.clock.now() + length
    for (;;) {
      const [next] = [...timers].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)
      await fake.advanceTo(Math.max(next?.due ?? until, fake.clock.now()))
      await done()
      if (!next) return
      if (timers.delete(next)) next.act()
      await done()
    }
  }
  const time: Time = {
    now: () => fake.clock.now(),
    sleep: (length) => move(length),
    after(length, act) {
      const timer = { due: fake.clock.now() + length, act }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  return { time, move }
}

/** Starts the service, with Dana as its host, and a world on a socket. */
export async function openService(now = '2026-03-02T09:00:00Z') {
  const fake = createFakeCalendar({ seed, now, strict: true })
  const { url } = await fake.listen()
  const { time, move } = clockwork(fake)
  const config = { apiUrl: `${url}/calendar/v3`, tokenUrl: `${url}/token`, clientId: 'booking', clientSecret: 'hush' }
  const service = new BookingService(config, time)
  await service.listen()
  onTestFinished(async () => {
    await service.close()
    await fake.close()
  })
  await service.connect(DANA, 'Europe/Berlin', '1//first')
  /** Resolves when all messages have arrived and the service has handled them. */
  const settled = async () => {
    await fake.notifications.settled()
    await service.idle()
  }
  await settled()
  fake.calls.clear()
  const advance = (length: number) => move(length, () => service.idle())
  /** Dana allows the service once more to use her calendar. */
  const reconnect = () => {
    fake.seed({ oauth: { grants: [grant('1//again')] } })
    return service.connect(DANA, 'Europe/Berlin', '1//again')
  }
  return { fake, service, advance, settled, reconnect, dana: byHand(fake), before: fake.snapshot() }
}

/** Dana's own client, which the service does not use. */
function byHand(fake: FakeCalendar) {
  const headers = {
    Authorization: `Bearer ${fake.oauth.mint({ account: DANA, life: '60d' })}`,
    'Content-Type': 'application/json',
  }
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fake.request(`/calendar/v3/calendars/primary/events${path}`, init)
    if (answer.status >= 400) throw new Error(await answer.text())
    return answer.status === 204 ? undefined : answer.json()
  }
  return {
    enter: (summary: string, span: Span) => send('POST', '', { summary, ...times(span) }),
    move: (id: string, span: Span) => send('PATCH', `/${id}`, times(span)),
    rename: (id: string, summary: string) => send('PATCH', `/${id}`, { summary }),
    delete: (id: string) => send('DELETE', `/${id}`),
  }
}

const times = ({ start, end }: Span) => ({
  start: { dateTime: new Date(start).toISOString() },
  end: { dateTime: new Date(end).toISOString() },
})

/** An hour from an instant on. */
export const hourFrom = (instant: string): Span => ({ start: Date.parse(instant), end: Date.parse(instant) + HOUR })

/** A customer's request. */
export const wish = (title: string, from: string, more: Partial<Wish> = {}): Wish => ({
  ...{ reference: title, host: DANA, customer: BOB, title },
  ...hourFrom(from),
  ...more,
})
