import type { Asked } from '../../testing/request.ts'
import { bodyOf, paramsOf } from '../../testing/request.ts'
import type { Retries } from '../../testing/retries.ts'
import type { Param } from '../../wire/params.ts'
import type { Refusal } from '../../wire/refusals.ts'
import type { Caller, World } from '../../world/world.ts'
import { type Hint, hint, shown } from './hint.ts'
import { ignoredHints, type Parameters, type Stray, strayHint } from './ignored.ts'
import { isOfRate, refusedHint } from './refused.ts'

/** A method, as far as hints ask. */
export type Method = {
  readonly id: string
  readonly params: Readonly<Record<string, Param>>
  readonly scopes: readonly string[]
}

/** A body as data, and which of its fields a client may write, of all that there are. */
export type Given = {
  readonly data: object
  readonly stray: readonly Stray[]
  readonly writable: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

/** What was found out of a request on its way. */
export type Found = {
  caller?: Caller | undefined
  /** The account that was taken for a token which stands for none. */
  taken?: string | undefined
  given?: Given | undefined
  /** Why it was refused; if `onCue`, because a test wanted it to be, whatever it says. */
  refusal?: Refusal | undefined
  onCue?: boolean
}

/** What a request asks for in vain: parameters and fields that the service does not know. */
export function unknownIn(method: Method, { query }: Asked, { given }: Found, methods: Parameters): Hint[] {
  const names = methods.unknown(query, method)
  const fields = given?.stray ?? []
  if (names.length + fields.length === 0) return []
  return [...names.map((name) => methods.hintOn(name, method)), ...fields.map(strayHint)]
}

/** What would have helped whoever wrote a request that was answered. */
export function hintsOn(method: Method, asked: Asked, found: Found, methods: Parameters): Hint[] {
  const { taken, given } = found
  const hints = unknownIn(method, asked, found, methods)
  if (taken !== undefined)
    hints.push(
      hint(
        'FC302',
        `The token stands for no account, and ${shown(taken)} was taken`,
        'Send an address as the token, or one that this world gave out',
      ),
    )
  return given ? [...hints, ...ignoredHints(given.data, given.writable, given.all)] : hints
}

type Refusing = { world: World; refusal: Refusal; retries: Retries; methods: Parameters }

/** The same of a request that was refused: first what its refusal leaves unsaid. */
export function hintsOnRefusal(
  method: Method,
  asked: Asked,
  found: Found,
  { world, refusal, retries, methods }: Refusing,
): Hint[] {
  const [fault] = refusal.faults
  const request = `${asked.account} ${asked.verb} ${asked.path}?${asked.query} ${asked.text}`
  const first = refusedHint(refusal, {
    world,
    caller: found.caller,
    params: paramsOf(asked),
    taken: method.params,
    scopes: method.scopes,
    body: bodyOf(asked),
    onCue: found.onCue === true,
    again: fault !== undefined && isOfRate(fault) && retries.again(request),
  })
  const others = hintsOn(method, asked, found, methods)
  return first ? [first, ...others] : others
}
