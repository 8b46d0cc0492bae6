import { addDays, addMinutes, openCalendar } from './calendar.js'
import { runAsCommand } from './command.js'

/** An agent that does three things by chance, which its prompt decides, and answers by chance. */
export async function solve(attempt) {
  const calendar = openCalendar(attempt)
  let state = [...attempt.prompt].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2147483647, 7)
  const pick = (values) => {
    state = (state * 48271) % 2147483647
    return values[state % values.length]
  }
  const words = attempt.prompt.match(/[\w:-]+/g)
  for (let at = 0; at < 3; at += 1) {
    const date = addDays(attempt.now.slice(0, 10), pick([0, 1, 2, 3, 4, 7, 8, 9]))
    const time = `${pick(['09', '10', '11', '12', '13', '14', '15', '16'])}:${pick(['00', '30'])}`
    const own = (await calendar.listEvents(date)).filter(({ organizer }) => organizer?.self)
    const act = pick(['book', 'remove', 'rename'])
    if (act === 'book' || own.length === 0) await calendar.book(pick(words), date, time, addMinutes(time, 60))
    else if (act === 'remove') await calendar.remove(pick(own)).catch(() => undefined)
    else await calendar.patch(pick(own), { summary: pick(words) })
  }
  return pick([...words, '0', '1', '2', '3'])
}

await runAsCommand(import.meta.url, solve)
