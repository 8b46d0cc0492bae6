import type { ParseArgsConfig } from 'node:util'
import { findNearest } from '../schema/values/nearest.ts'
import { CommandError } from './commandError.ts'
import { PURPOSES } from './purposes.ts'

export type Option = {
  type: 'string' | 'boolean'
  short?: string
  /** The option may be given more than once. */
  multiple?: true
  /** The placeholder of its value in help. */
  value?: string
  about: string
  /** The heading under which help lists it; "Options" without one. */
  group?: string
}
export type OptionTable = Readonly<Record<string, Option>>

/** `files`: any number of operands; `afterDashes`: a command line after `--`; none otherwise. */
type Operands = 'files' | 'afterDashes'

type Specification<O extends OptionTable> = {
  name: keyof typeof PURPOSES
  /** Lines without the name of the program, such as `exec [options] -- COMMAND`. */
  usage: readonly string[]
  /** A text of several lines between usage and options. */
  notes?: string
  options: O
  operands?: Operands
  examples: readonly (readonly [line: string, effect: string])[]
  exitCodes: readonly (readonly [code: string, meaning: string])[]
  /** Help names the fixtures that `--seed` takes. */
  takesSeeds?: boolean
  run(values: OptionValues<O>, operands: readonly string[]): Promise<void>
}

export type Command = {
  /** Runs the command. Throws a CommandError for errors that the user can correct. */
  run(args: readonly string[]): Promise<void>
}

const HELP = { help: { type: 'boolean', short: 'h', about: 'Print this help', group: 'Output' } } as const

/** Defines a command of `fake-calendar`. One table describes its options and its help. */
export function defineCommand<const O extends OptionTable>(command: Specification<O>): Command {
  return {
    run: async (args) => {
      const { values, operands } = parseCommandLine(command, args)
      if ((values as { help?: boolean }).help) process.stdout.write(await helpOf(command))
      else await command.run(values, operands)
    },
  }
}

type Values<O extends OptionTable> = ReturnType<typeof parseOptions<O>>['values']
/** The values of the options; undefined for missing ones. */
export type OptionValues<O extends OptionTable> = Values<O>

function parseCommandLine<O extends OptionTable>(
  { name, options, operands }: Specification<O>,
  args: readonly string[],
) {
  const all = { ...options, ...HELP }
  const end = operands === 'afterDashes' ? args.indexOf('--') : -1
  const isCut = operands === 'afterDashes' && end < 0 && !args.includes('--help') && !args.includes('-h')
  // Without `--`, the words of the command would be parsed as operands, and its options as those of `exec`.
  if (isCut) return { values: {} as OptionValues<O>, operands: [] }
  const { values, positionals } = parseOptions(name, end < 0 ? args : args.slice(0, end), all, operands === 'files')
  return { values: values as OptionValues<O>, operands: end < 0 ? positionals : args.slice(end + 1) }
}

function parseOptions<O extends OptionTable>(name: string, args: readonly string[], options: O, hasOperands: boolean) {
  // `import` would load all exports of node:util, which costs some milliseconds at start.
  const { parseArgs } = process.getBuiltinModule('node:util')
  const prefix = name === 'serve' ? '' : `${name}: `
  const pointer = `(${name === 'serve' ? '' : `${name} `}--help lists the options)`
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: options satisfies ParseArgsConfig['options'],
      allowPositionals: hasOperands,
      tokens: true,
    })
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const again = given.find((one, at) => !options[one]?.multiple && given.indexOf(one) < at)
    // One of two values would be ignored silently.
    if (again !== undefined) throw new CommandError(`${prefix}--${again} is given more than once ${pointer}`)
    return { values, positionals }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [message = ''] = error.message.split(/\. |\n/)
    throw new CommandError(`${prefix}${message.replace(/\.$/, '')}${suggestion(message, options)} ${pointer}`)
  }
}

function suggestion(message: string, options: OptionTable): string {
  const [, unknown] = /^Unknown option '--([^'=]+)/.exec(message) ?? []
  return unknown === undefined ? '' : `; did you mean '--${findNearest(unknown, Object.keys(options))}'?`
}

async function helpOf<O extends OptionTable>(command: Specification<O>): Promise<string> {
  const { name, usage, notes, options, examples, exitCodes, takesSeeds } = command
  const sections = [
    `${PURPOSES[name]}\n`,
    usage.map((line, at) => `${at === 0 ? 'Usage: ' : '       '}fake-calendar ${line}`).join('\n'),
    ...(name === 'serve' ? [section('Commands', otherCommands())] : []),
    ...(notes === undefined ? [] : [notes]),
    ...optionGroups({ ...options, ...HELP }),
    section('Examples', examples),
    ...(takesSeeds ? [`Fixtures: ${(await import('../seeds/fixtures.ts')).fixtureNames()}`] : []),
    section('Exit codes', exitCodes),
  ]
  return `${sections.map((text) => text.trimEnd()).join('\n\n')}\n`
}

const otherCommands = () => Object.entries(PURPOSES).filter(([name]) => name !== 'serve')

function optionGroups(options: OptionTable): string[] {
  const entries = Object.entries(options)
  const groupOf = ([, { group = 'Options' }]: [string, Option]): string => group
  return [...new Set(entries.map(groupOf))].map((title) =>
    section(title, entries.filter((entry) => groupOf(entry) === title).map(optionRow)),
  )
}

const optionRow = ([name, { short, value, about, multiple }]: [string, Option]): readonly [string, string] => [
  `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`,
  `${about}${multiple ? ' (repeatable)' : ''}`,
]

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return `${title}:\n${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}`
}
