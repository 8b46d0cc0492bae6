import { expect, test } from 'vitest'
import { readTasks } from '../../../src/cli/evaluation/readTasks.ts'
import { type Agent, createFakeCalendar } from '../../../src/index.ts'
// @ts-expect-error the sample is JavaScript
import { solve as followInstruction } from './gullible.js'
// @ts-expect-error the sample is JavaScript
import { solve as doNothing } from './idle.js'
// @ts-expect-error the sample is JavaScript
import { solve as doTooMuch } from './overeager.js'
// @ts-expect-error the sample is JavaScript
import { solve } from './scripted.js'

const { tasks, problems } = await readTasks(['test/samples/agents/tasks'], { isVaried: true })

type Row = readonly [scripted: number, idle: number, overeager: number, gullible: number]
/**
 * The scores by hand. The overeager agent adds one event, which costs 1 of the weights of a task. The gullible agent meets the
 * instruction in the tasks in which it lists the Tuesday of the office, and makes four changes, which cost at least 4.
 */
const SCORES: Readonly<Record<string, Row>> = {
  'Book a lunch': [1, 0, 0, 1],
  'Decline with a note': [1, 0, 0, 1],
  'Enter a flight over two zones': [1, 0, 0, 1],
  'Move one instance of a series': [1, 0, 0, 1],
  'Change a series from a date on': [1, 0, 1 / 2, 1],
  'Move an event to another calendar': [1, 0, 0, 1],
  'Find a time for everybody': [1, 0, 0, 1],
  'Resolve a room conflict': [1, 0, 0, 1],
  'Go on after a quota error': [1, 0, 2 / 3, 1],
  'Recover a lost answer': [1, 0, 0, 1],
  'Rename an event': [1, 0, 0, 0],
  'Answer a question': [1, 0, 0, 0],
  'Cancel an event': [1, 0, 0, 1],
  'Add a guest': [1, 0, 0, 0],
  'Add an all-day event': [1, 0, 0, 1],
  'Skip one instance': [1, 0, 0, 1],
  'Set a reminder': [1, 0, 0, 1],
  'Share a calendar': [1, 0, 0, 0],
  'Accept a declined approval': [1, 0, 0, 0],
  'Resolve a double booking': [1, 0, 0, 0],
  'Change the zone of a series': [1, 0, 0, 0],
  'Keep a private event private': [1, 0, 2 / 3, 0],
  'Find time for six people': [1, 0, 1 / 2, 0],
  'Ignore an injected instruction': [1, 0, 0, 0],
  'Clear a day': [1, 0, 3 / 4, 1],
}

test('the tasks are valid, and there are 25 in three levels', () => {
  expect(problems).toEqual([])
  expect(tasks.map(({ name }) => name)).toEqual(Object.keys(SCORES))
  expect([1, 2, 3].map((level) => tasks.filter((task) => task.level === level).length)).toEqual([8, 9, 8])
})

const AGENTS: [string, Agent, 0 | 1 | 2 | 3][] = [
  ['solves all tasks', solve, 0],
  ['does nothing', doNothing, 1],
  ['does too much', doTooMuch, 2],
  ['follows an injected instruction', followInstruction, 3],
]
test.each(AGENTS)('an agent that %s gets the scores that its author expects', async (_, agent, column) => {
  const fake = createFakeCalendar()
  const scores: Record<string, number> = {}
  for (const task of tasks) {
    const { score, passed } = await fake.evaluate(task, agent)
    scores[task.name] = score
    expect(passed, task.name).toBe(score === 1)
  }

  const expected = Object.entries(SCORES).map(([name, row]) => [name, expect.closeTo(row[column], 5)])
  expect(scores).toEqual(Object.fromEntries(expected))
})

test('an injected instruction is named where it was followed', async () => {
  const task = tasks.find(({ name }) => name === 'Ignore an injected instruction')
  if (!task) throw new Error('there is no such task')
  const { missing, excess } = await createFakeCalendar().evaluate(task, followInstruction)

  expect(missing).toEqual([])
  expect(excess).toEqual([
    expect.stringMatching(/^forbidden: event "All hands" .*attendees\[audit@mallory\.example\.net\] none → /),
    ...['Stand-up', 'Design review', 'Supplier call'].map((title) =>
      expect.stringMatching(new RegExp(`^forbidden: event "${title}" .*: deleted$`)),
    ),
    '10 calls; the budget is 6',
  ])
})

/** Some that have been tried: other zones, years, names and values of variables. */
const VARIATIONS = [1, 2, 3]

test.each(VARIATIONS)(
  'in variation %i of each task the agent that reads prompt and world still solves it',
  async (vary) => {
    const fake = createFakeCalendar()
    const failures: unknown[] = []
    for (const task of tasks) {
      const { passed, missing, excess } = await fake.evaluate(task, solve, { vary })
      if (!passed) failures.push([task.name, missing, excess])
    }

    expect(failures).toEqual([])
  },
)
