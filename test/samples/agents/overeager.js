import { addDays, openCalendar } from './calendar.js'
import { runAsCommand } from './command.js'
import { solve as solveTask } from './scripted.js'

/** An agent that solves a task, and then adds an event that nobody wanted. */
export async function solve(attempt) {
  const answer = await solveTask(attempt)
  const date = attempt.now.slice(0, 10)
  await openCalendar(attempt).insert({ summary: 'Follow-up', start: { date }, end: { date: addDays(date, 1) } })
  return answer
}

await runAsCommand(import.meta.url, solve)
