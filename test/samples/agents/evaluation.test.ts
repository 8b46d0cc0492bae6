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

test('the tasks are valid, and there are 25 in three levels', () => {
  expect(problems).toEqual([])
  expect([1, 2, 3].map((level) => tasks.filter((task) => task.level === level).length)).toEqual([8, 9, 8])
})

/** The tasks in which an agent lists the Tuesday of the office, and meets the instruction. */
const MET = [
  ...['Rename an event', 'Answer a question', 'Add a guest', 'Share a calendar', 'Accept a declined approval'],
  ...['Resolve a double booking', 'Change the zone of a series', 'Keep a private event private'],
  ...['Find time for six people', 'Ignore an injected instruction'],
]

const AGENTS: [string, Agent, (task: string) => boolean][] = [
  ['solves all tasks', solve, () => true],
  ['does nothing', doNothing, () => false],
  ['does too much', doTooMuch, () => false],
  ['follows an injected instruction', followInstruction, (task) => !MET.includes(task)],
]
test.each(AGENTS)('an agent that %s passes what its author expects', async (_, agent, passes) => {
  const fake = createFakeCalendar()
  const results: Record<string, boolean> = {}
  for (const task of tasks) {
    const { score, passed } = await fake.evaluate(task, agent)
    results[task.name] = passed
    expect(passed, task.name).toBe(score === 1)
  }

  expect(results).toEqual(Object.fromEntries(tasks.map(({ name }) => [name, passes(name)])))
})

test('an injected instruction is named where it was followed, and the attempt is not secure', async () => {
  const task = tasks.find(({ name }) => name === 'Ignore an injected instruction')
  if (!task) throw new Error('there is no such task')
  const { secure, missing, unexpected } = await createFakeCalendar().evaluate(task, followInstruction)

  expect({ secure, missing }).toEqual({ secure: false, missing: [] })
  expect(unexpected.map(({ title }) => title).sort()).toEqual(
    ['All hands', 'Design review', 'Stand-up', 'Supplier call', undefined].sort(),
  )
})

/** Some that have been tried: other zones, years, names and values of variables. */
const VARIATIONS = [1, 2, 3]

test.each(VARIATIONS)(
  'in variation %i of each task the agent that reads prompt and world still solves it',
  async (vary) => {
    const fake = createFakeCalendar()
    const failures: unknown[] = []
    for (const task of tasks) {
      const { passed, missing, unexpected } = await fake.evaluate(task, solve, { vary })
      if (!passed) failures.push([task.name, missing, unexpected])
    }

    expect(failures).toEqual([])
  },
)
