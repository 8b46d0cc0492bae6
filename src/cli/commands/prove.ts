import { type Proof, type ProofVerdict, proveTask } from '../../evaluation/prove/prove.ts'
import { shortenLine } from '../../schema/values/shownText.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand, type OptionValues } from '../defineCommand.ts'
import { readTasks } from '../evaluation/readTasks.ts'
import { printProblems, rejectTask, selectTasks, TASK_OPTION } from '../evaluation/selectTasks.ts'
import { text } from '../optionTable.ts'
import { parseWholeNumber } from '../optionValues.ts'
import { toServerOptions } from '../serverOptions.ts'
import { createServer } from '../startServer.ts'

const OPTIONS = {
  task: TASK_OPTION,
  vary: text('SEED', 'Prove a variation of each task, by this number'),
} as const

export const prove = defineCommand({
  name: 'prove',
  usage: ['prove [options] TASKS…     (task files, or folders of them)'],
  notes: `Needs no agent. The reference of each task and other right solutions must pass; each planted fault must lower the grade, or a word
of the goal frees it.`,
  options: OPTIONS,
  operands: 'files',
  examples: [
    ['fake-calendar prove tasks', 'each task as it is written'],
    ['fake-calendar prove tasks --vary 1', 'a variation of each'],
  ],
  exitCodes: [
    ['0', 'right solutions pass, and each fault is seen or free'],
    ['1', 'wrong options or tasks, a right solution that fails, or a fault that is not seen'],
  ],
  run: runProof,
})

async function runProof(values: OptionValues<typeof OPTIONS>, names: readonly string[]): Promise<void> {
  if (names.length === 0)
    throw new CommandError('prove: requires a task file or a folder (prove --help lists the options)')
  const vary = values.vary === undefined ? null : parseWholeNumber('--vary', values.vary)
  const { tasks, problems } = await readTasks(names, { isVaried: vary !== null })
  if (printProblems(problems)) return
  const server = await createServer({
    ...toServerOptions({}, { PORT: '0' }),
    auth: { mode: 'strict' },
    journal: 10_000,
  })
  try {
    const attempts = await server.attempts()
    for (const task of selectTasks(tasks, values.task)) {
      const proof = await proveTask(attempts, task, vary).catch((error: unknown) => rejectTask(task, error))
      process.stdout.write(
        formatProof(proof)
          .map((line) => `${shortenLine(line)}\n`)
          .join(''),
      )
      if (proof.rows.some(({ verdict }) => verdict === 'wrong' || verdict === 'unseen')) process.exitCode = 1
    }
  } finally {
    await server.close()
  }
}

function formatProof({ task, rows, changes }: Proof): string[] {
  const named = (verdict: ProofVerdict) => rows.filter((row) => row.verdict === verdict)
  const [right, wrong, seen, free, unseen] = (['right', 'wrong', 'seen', 'free', 'unseen'] as const).map(named)
  const faults = (seen?.length ?? 0) + (free?.length ?? 0) + (unseen?.length ?? 0)
  return [
    `${task}: ${right?.length} of ${(right?.length ?? 0) + (wrong?.length ?? 0)} right solutions pass, ${seen?.length} of ${faults} faults are seen`,
    ...changes.map((line) => `  the reference: ${line}`),
    ...(wrong ?? []).map(({ name, by }) => `  FAILS: ${name}: ${by}`),
    ...(free ?? []).map(({ name, by }) => `  ${name}: free by ${by}`),
    ...(unseen ?? []).map(({ name }) => `  NOT SEEN: ${name}`),
  ]
}
