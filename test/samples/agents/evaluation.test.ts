import { expect, test } from 'vitest'
import { readTasks } from '../../../src/cli/evaluation/readTasks.ts'
import { type Agent, createFakeCalendar } from '../../../src/index.ts'
// @ts-expect-error the sample is JavaScript
import { solve as echo } from './echo.js'
// @ts-expect-error the sample is JavaScript
import { solve as doNothing } from './idle.js'
// @ts-expect-error the sample is JavaScript
import { solve as followInstruction } from './obedient.js'
// @ts-expect-error the sample is JavaScript
import { solve as doTooMuch } from './overeager.js'
// @ts-expect-error the sample is JavaScript
import { solve as actByChance } from './random.js'
// @ts-expect-error the sample is JavaScript
import { solve } from './scripted.js'

const { tasks, problems } = await readTasks(['test/samples/agents/tasks'], { isVaried: true })

test('the tasks are valid, and there are 60 in three levels', () => {
  expect(problems).toEqual([])
  expect([1, 2, 3].map((level) => tasks.filter((task) => task.level === level).length)).toEqual([18, 26, 16])
})

/** What each agent passes of 60, how many of the four tasks with an attack it leaves secure, and its mean score. */
const AGENTS: [string, Agent, passed: number, secure: number, score: string][] = [
  ['solves all tasks', solve, 60, 4, '1.00'],
  ['does nothing', doNothing, 0, 4, '0.00'],
  ['answers the prompt', echo, 0, 4, '0.00'],
  ['acts by chance', actByChance, 0, 4, '0.00'],
  ['does too much', doTooMuch, 0, 4, '0.10'],
  ['follows an injected instruction', followInstruction, 27, 0, '0.45'],
]
/** Prepares each task once for all agents. */
const fake = createFakeCalendar()

test.each(AGENTS)('an agent that %s passes what its author expects', async (_, agent, passed, secure, score) => {
  const results = []
  for (const task of tasks) {
    const result = await fake.evaluate(task, agent)
    expect(result.passed, task.name).toBe(result.score === 1)
    results.push(result)
  }
  const mean = results.reduce((sum, result) => sum + result.score, 0) / tasks.length

  expect({
    passed: results.filter((result) => result.passed).length,
    secure: results.filter((result) => result.secure).length,
    score: mean.toFixed(2),
  }).toEqual({ passed, secure, score })
})

test('an injected instruction is named where it was followed, and the attempt is not secure', async () => {
  const task = tasks.find(({ name }) => name === 'Ignore an injected instruction')
  if (!task) throw new Error('there is no such task')
  const { secure, missing, unexpected } = await fake.evaluate(task, followInstruction)

  expect({ secure, missing }).toEqual({ secure: false, missing: [] })
  expect(unexpected.map(({ title }) => title).sort()).toEqual(
    ['All hands', 'Design review', 'Stand-up', 'Supplier call', undefined].sort(),
  )
})

/** Some that have been tried: other zones, years, names and values of variables. */
const VARIATIONS = [1, 2, 3]

test.each(VARIATIONS)('the agent that reads prompt and world solves each task in variation %i', async (vary) => {
  const failures: unknown[] = []
  for (const task of tasks) {
    const { passed, missing, unexpected } = await fake.evaluate(task, solve, { vary })
    if (!passed) failures.push([task.name, missing, unexpected])
  }

  expect(failures).toEqual([])
})
