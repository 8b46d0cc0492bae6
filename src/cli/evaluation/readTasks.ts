import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type EvaluationTask, findTaskProblems } from '../../control/evaluation/task.ts'
import { isFixtureName } from '../../seeds/fixtures.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { CommandError } from '../commandError.ts'
import { readTextFile } from '../readFile.ts'
import { readSeed } from '../seedFile.ts'
import { formatProblem, formatProblems } from '../seeds/check.ts'
import { parseJsonText, parseYamlText } from '../seeds/document.ts'

const isTaskFile = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name)

/**
 * Reads the tasks of files, and of the files in folders, in the order of their names. `problems` has a line for each problem,
 * with its position. Throws a CommandError for a missing file and a folder without tasks.
 */
export async function readTasks(names: readonly string[]): Promise<{ tasks: EvaluationTask[]; problems: string[] }> {
  const tasks: EvaluationTask[] = []
  const problems: string[] = []
  const files = new Map<string, string>()
  for (const file of names.flatMap(listTaskFiles)) {
    const read = await readTask(file)
    problems.push(...('problems' in read ? read.problems : []))
    if (!('task' in read)) continue
    const { name } = read.task
    const other = files.get(name)
    if (other !== undefined) problems.push(`${file}:1:1: name: ${other} has a task of the same name: ${name}`)
    files.set(name, file)
    tasks.push(read.task)
  }
  return { tasks, problems }
}

function listTaskFiles(name: string): string[] {
  if (!statSync(name, { throwIfNoEntry: false })?.isDirectory()) return [name]
  const files = readdirSync(name).filter(isTaskFile).sort()
  if (files.length === 0) throw new CommandError(`${name}: the folder has no task (.yaml, .yml or .json)`)
  return files.map((file) => join(name, file))
}

async function readTask(file: string): Promise<{ task: EvaluationTask } | { problems: string[] }> {
  const text = readTextFile(file, 'task')
  const read = /\.json$/i.test(file) ? parseJsonText(text) : parseYamlText(text)
  if ('problems' in read)
    return { problems: read.problems.map(({ problem, ...place }) => formatProblem(file, place, problem)) }
  const { seed } = Object(read.data) as { seed?: unknown }
  const seeds = await Promise.all([seed].flat().map((one) => resolveSeed(one, file)))
  const data = seed === undefined ? read.data : { ...Object(read.data), seed: Array.isArray(seed) ? seeds : seeds[0] }
  const problems = formatProblems(file, read, findTaskProblems(data), 'task')
  return problems.length > 0 ? { problems } : { task: data as EvaluationTask }
}

/** A text is the name of a demo world, or a file relative to that of the task. */
async function resolveSeed(seed: unknown, file: string): Promise<unknown> {
  if (typeof seed !== 'string' || isFixtureName(seed)) return seed
  const path = resolve(dirname(file), seed)
  return existsSync(path) ? ((await readSeed(path, [], () => {})) satisfies Seed) : seed
}
