/** An option of a command, for its parsing and its help. `value` names the value in the help. */
export type Option = {
  type: 'string' | 'boolean'
  short?: string
  multiple?: true
  value?: string
  about: string
  group?: string
}
export type OptionTable = Readonly<Record<string, Option>>

export const flag = (about: string) => ({ type: 'boolean', about }) as const
export const text = (value: string, about: string) => ({ type: 'string', value, about }) as const
/** An option that may be repeated. */
export const texts = (value: string, about: string) => ({ ...text(value, about), multiple: true }) as const

/** Returns the options with the heading under which the help lists them. */
export const inGroup = <const O extends OptionTable>(group: string, options: O) =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, group }])) as {
    readonly [N in keyof O]: O[N] & { readonly group: string }
  }
