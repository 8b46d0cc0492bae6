import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentTask } from '../../control/types/task.ts'
import { findExcess, findTaskProblems } from '../../evaluation/task.ts'
import { isFixtureName } from '../../seeds/fixtures.ts'
import type { SeedProblem } from '../../seeds/problems.ts'
import { CommandError } from '../commandError.ts'
import { readTextFile } from '../readFile.ts'
import { checkSeed, formatProblem, formatProblems } from '../seeds/check.ts'
import { parseJsonText } from '../seeds/json.ts'
import { detectSeedFormat, readSeed, readSeedBytes } from '../seeds/seedFile.ts'
import { parseYamlText } from '../seeds/yaml.ts'

const isTaskFile = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name)

/**
 * Reads the tasks of files, and of the files in folders, in the order of their names. `problems` has a line for each problem,
 * with its position. Throws a CommandError for a missing file and a folder without tasks.
 */
export async function readTasks(
  names: readonly string[],
  options = { isVaried: false },
): Promise<{ tasks: AgentTask[]; files: string[]; problems: string[] }> {
  const tasks: AgentTask[] = []
  const problems = new Set<string>()
  const files = new Map<string, string>()
  const listed = names.flatMap(listTaskFiles)
  for (const file of listed) {
    const read = await readTask(file, options)
    if ('problems' in read) for (const line of read.problems) problems.add(line)
    if (!('task' in read)) continue
    const { name } = read.task
    const other = files.get(name)
    if (other !== undefined) problems.add(`${file}:1:1: name: ${other} has a task of the same name: ${name}`)
    files.set(name, file)
    tasks.push(read.task)
  }
  return { tasks, files: listed, problems: [...problems] }
}

function listTaskFiles(name: string): string[] {
  if (!statSync(name, { throwIfNoEntry: false })?.isDirectory()) return [name]
  const files = readdirSync(name).filter(isTaskFile).sort()
  if (files.length === 0) throw new CommandError(`${name}: the folder has no task (.yaml, .yml or .json)`)
  return files.map((file) => join(name, file))
}

async function readTask(
  file: string,
  options: { isVaried: boolean },
): Promise<{ task: AgentTask } | { problems: string[] }> {
  const text = readTextFile(file, 'task')
  const read = /\.json$/i.test(file) ? parseJsonText(text) : parseYamlText(text)
  if ('problems' in read)
    return { problems: read.problems.map(({ problem, ...place }) => formatProblem(file, place, problem)) }
  const { seed } = Object(read.data) as { seed?: unknown }
  const excess = findExcess(read.data)
  const early = excess.length > 0 ? excess : findMissingFiles(seed, file)
  if (early.length > 0) return { problems: formatProblems(file, read, early, 'task') }
  const seeds = await Promise.all([seed].flat().map((one) => resolveSeed(one, file)))
  const wrong = seeds.flatMap((one) => one.problems)
  if (wrong.length > 0) return { problems: wrong }
  const data = seeds.map((one) => one.data)
  const task = seed === undefined ? read.data : { ...Object(read.data), seed: Array.isArray(seed) ? data : data[0] }
  const problems = formatProblems(file, read, findTaskProblems(task, options), 'task')
  return problems.length > 0 ? { problems } : { task: task as AgentTask }
}

/** A text with the form of a path must be one, because a message about demo worlds would mislead. */
function findMissingFiles(seed: unknown, file: string): SeedProblem[] {
  return [seed].flat().flatMap((one, at) => {
    if (typeof one !== 'string' || !(isTaskFile(one) || /[/\\]/.test(one))) return []
    const path = join(dirname(file), one)
    if (existsSync(path)) return []
    return [{ path: Array.isArray(seed) ? ['seed', at] : ['seed'], problem: `there is no such file: ${path}` }]
  })
}

/** A text is the name of a demo world, or a file relative to that of the task. The problems of a file have its name. */
async function resolveSeed(seed: unknown, file: string): Promise<{ data: unknown; problems: string[] }> {
  const path = typeof seed === 'string' && !isFixtureName(seed) ? join(dirname(file), seed) : undefined
  if (path === undefined || !existsSync(path)) return { data: seed, problems: [] }
  const bytes = readSeedBytes(path)
  const checked = checkSeed({ name: path, bytes, kind: detectSeedFormat(path, bytes) }, [])
  if ('problems' in checked) return { data: undefined, problems: checked.problems }
  return { data: await readSeed(path, [], () => {}), problems: [] }
}
