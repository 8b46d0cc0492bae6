import type { ParseArgsConfig } from 'node:util'
import { findNearest } from '../schema/values/nearest.ts'
import { CommandError } from './commandError.ts'
import { flag, inGroup, type Option, type OptionTable } from './optionTable.ts'
import { PURPOSES } from './purposes.ts'

/** `files`: any number of operands; `afterDashes`: a command line after `--`; none otherwise. */
type Operands = 'files' | 'afterDashes'

type Specification<O extends OptionTable> = {
  name: keyof typeof PURPOSES
  usage: readonly string[]
  notes?: string
  options: O
  operands?: Operands
  examples: readonly (readonly [line: string, effect: string])[]
  exitCodes: readonly (readonly [code: string, meaning: string])[]
  takesSeeds?: boolean
  run(values: OptionValues<O>, operands: readonly string[]): Promise<void>
}

export type Command = {
  /** Runs the command, or prints its help. Rejects with a CommandError for errors that the user can correct. */
  run(args: readonly string[]): Promise<void>
}

const HELP = inGroup('Output', { help: { ...flag('Print this help'), short: 'h' } })

/** One table describes both the options and the help. */
export function defineCommand<const O extends OptionTable>(command: Specification<O>): Command {
  return {
    run: async (args) => {
      const { values, operands } = parseCommandLine(command, args)
      if ((values as { help?: boolean }).help) process.stdout.write(await formatHelp(command))
      else await command.run(values, operands)
    },
  }
}

type OptionValue<T extends Option> = T extends { type: 'boolean' }
  ? boolean
  : T extends { multiple: true }
    ? string[]
    : string
export type OptionValues<O extends OptionTable> = { -readonly [N in keyof O]?: OptionValue<O[N]> | undefined }

function parseCommandLine<O extends OptionTable>(
  { name, options, operands }: Specification<O>,
  args: readonly string[],
) {
  const all = { ...options, ...HELP }
  const end = operands === 'afterDashes' ? args.indexOf('--') : -1
  const lacksDashes = operands === 'afterDashes' && end < 0 && !args.includes('--help') && !args.includes('-h')
  if (lacksDashes) return { values: {} as OptionValues<O>, operands: [] }
  const { values, positionals } = parseOptions(name, end < 0 ? args : args.slice(0, end), all, operands === 'files')
  return { values: values as OptionValues<O>, operands: end < 0 ? positionals : args.slice(end + 1) }
}

function parseOptions<O extends OptionTable>(name: string, args: readonly string[], options: O, hasOperands: boolean) {
  // `import` would load all exports of node:util, which costs some milliseconds at start.
  const { parseArgs } = process.getBuiltinModule('node:util')
  const prefix = name === 'serve' ? '' : `${name}: `
  const pointer = name === 'serve' ? '(--help lists the commands and options)' : `(${name} --help lists the options)`
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: options satisfies ParseArgsConfig['options'],
      allowPositionals: hasOperands,
      tokens: true,
    })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const again = names.find((one, at) => !options[one]?.multiple && names.indexOf(one) < at)
    if (again !== undefined) throw new CommandError(`${prefix}--${again} is given more than once ${pointer}`)
    return { values: values as OptionValues<O>, positionals }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [message = ''] = error.message.split(/\. |\n/)
    throw new CommandError(`${prefix}${message.replace(/\.$/, '')}${suggestOption(message, options)} ${pointer}`)
  }
}

function suggestOption(message: string, options: OptionTable): string {
  const [, unknown] = /^Unknown option '--([^'=]+)/.exec(message) ?? []
  return unknown === undefined ? '' : `; did you mean '--${findNearest(unknown, Object.keys(options))}'?`
}

async function formatHelp<O extends OptionTable>(command: Specification<O>): Promise<string> {
  const { name, usage, notes, options, examples, exitCodes, takesSeeds } = command
  const sections = [
    `${PURPOSES[name]}\n`,
    usage.map((line, at) => `${at === 0 ? 'Usage: ' : '       '}fake-calendar ${line}`).join('\n'),
    ...(name === 'serve' ? [formatSection('Commands', listCommands())] : []),
    ...(notes === undefined ? [] : [notes]),
    ...formatOptionGroups({ ...options, ...HELP }),
    formatSection('Examples', examples),
    ...(takesSeeds ? [`Demo worlds: ${(await import('../seeds/fixtures.ts')).formatFixtureNames()}`] : []),
    formatSection('Exit codes', exitCodes),
  ]
  return `${sections.map((text) => text.trimEnd()).join('\n\n')}\n`
}

const listCommands = () => Object.entries(PURPOSES).filter(([name]) => name !== 'serve')

function formatOptionGroups(options: OptionTable): string[] {
  const entries = Object.entries(options)
  const groupOf = ([, { group = 'Options' }]: [string, Option]): string => group
  return [...new Set(entries.map(groupOf))].map((title) =>
    formatSection(title, entries.filter((entry) => groupOf(entry) === title).map(formatOptionRow)),
  )
}

const formatOptionRow = ([name, { short, value, about, multiple }]: [string, Option]): readonly [string, string] => [
  `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`,
  `${about}${multiple ? ' (repeatable)' : ''}`,
]

function formatSection(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return `${title}:\n${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}`
}
