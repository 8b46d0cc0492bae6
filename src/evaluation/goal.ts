import { z } from 'zod'
import { requireKnownChanges, requireKnownMailFields, requireName } from '../control/expectedFields.ts'
import { checkExpected, isConditions } from '../control/matching.ts'
import { parseCallFilter } from '../control/operations/calls.ts'
import { EXPECTED_CHANGE } from '../control/operations/history.ts'
import { durationText, strictShape, times } from '../control/operations/inputs.ts'
import type { Attack, FreeFields, Reference, TaskGoal } from '../control/types/task.ts'
import { TOOL_NAMES } from '../mcp/definitions/toolNames.ts'
import { aclRule } from '../schema/aclRule.ts'
import { channel } from '../schema/bodies.ts'
import { calendar } from '../schema/calendar.ts'
import { shownEntry } from '../schema/calendarListEntry.ts'
import { event } from '../schema/event.ts'
import { setting } from '../schema/setting.ts'
import { parseData } from '../schema/values/issues.ts'
import { isObject } from '../schema/values/json.ts'
import { BOUNDS } from './free.ts'
import { parseStep } from './reference.ts'
import { isSteps } from './security.ts'

const step = z
  .union([z.string().min(1), z.record(z.string(), z.unknown())])
  .refine((one) => parseStep(one) !== undefined, 'give a tool with its arguments, or a request such as POST /calendars')
const steps = z.array(step)
const text = z.string().min(1)
const say = z.union([
  text,
  strictShape({ number: z.number() }),
  strictShape({ date: z.iso.date() }),
  strictShape({ time: z.string().regex(/^\d{1,2}:\d\d$/, 'give a time such as 09:30') }),
  strictShape({ list: z.array(text) }),
  strictShape({ has: z.union([text, z.array(text).min(1)]) }),
])
const reference = {
  do: steps,
  free: z.union([z.array(text), z.record(z.string(), z.unknown())]).optional(),
  say: say.optional(),
  mail: z.enum(['as-done', 'none']).optional(),
}
const pattern = z.record(z.string(), z.unknown())
const patterns = z.union([pattern, z.array(pattern).min(1)])
const changePattern = strictShape(EXPECTED_CHANGE)
const attack = z.union([
  steps.min(1),
  strictShape({
    changes: z.union([changePattern, z.array(changePattern).min(1)]).optional(),
    mail: patterns.optional(),
    calls: z.record(z.string(), pattern).optional(),
  }).refine((given) => Object.keys(given).length > 0, 'give changes, mail or calls'),
])

export const goal = strictShape({
  ...reference,
  or: z.array(strictShape(reference)).min(1).optional(),
  calls: z.record(z.string(), times).optional(),
  attack: attack.optional(),
  weight: z.record(z.string(), z.number().min(0).max(1000)).optional(),
})

const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/, 'give a time such as 2030-06-06T09:00')
const bound = strictShape({
  between: z.tuple([moment, moment]).optional(),
  lasts: durationText.optional(),
  clear: z.array(z.email()).min(1).optional(),
})

const FIELDS = [event, calendar, shownEntry, aclRule, setting, channel].flatMap(({ shape }) => Object.keys(shape))

/** Throws a RangeError for a name or a value that no schema knows. Its message begins with a path below the goal. */
export function checkGoal(
  { or = [], calls = {}, attack, weight = {}, ...main }: TaskGoal,
  extraTools: readonly string[],
): void {
  for (const [place, one] of [['', main] as const, ...or.map((other, at) => [`or[${at}].`, other] as const)]) {
    checkSteps(one.do, `${place}do`, extraTools)
    if (one.free) checkFree(one.free, `${place}free`)
  }
  for (const name of Object.keys(calls)) checkMethod(name, `calls.${name}`, extraTools)
  if (attack) checkAttack(attack, extraTools)
  const counted = Math.max(main.do.length, ...or.map((one) => one.do.length))
  const known = ['say', 'unexpected', ...Array.from({ length: counted }, (_, at) => String(at + 1))]
  for (const name of Object.keys(weight)) requireName(name, known, 'weight')
}

function checkSteps(given: Reference['do'], place: string, extraTools: readonly string[]): void {
  for (const [at, one] of given.entries()) {
    const call = parseStep(one)
    if (call && 'tool' in call) requireName(call.tool, [...TOOL_NAMES, ...extraTools], `${place}[${at}]`)
    for (const [, number = ''] of JSON.stringify(one).matchAll(/\{\{\s*(\d+)[.\w-]*\s*\}\}/g))
      if (Number(number) < 1 || Number(number) > at)
        throw new RangeError(`${place}[${at}]: {{${number}…}} is not the reply of an earlier step`)
  }
}

function checkFree(free: FreeFields, place: string): void {
  const named = Array.isArray(free)
    ? free.map((name: string) => [name, true] as [string, unknown])
    : Object.entries(free)
  for (const [path, value] of named) {
    requireName(path.split(/[.[]/)[0] ?? '', FIELDS, place)
    if (isObject(value) && BOUNDS.some((name) => name in value)) checkBound(path, value, place)
    else if (value !== true && !isConditions(value) && isObject(value))
      throw new RangeError(`${place}.${path}: give true, a condition such as { contains: sync }, or a bound`)
    else checkExpected(value, `${place}.${path}`)
  }
}

function checkBound(path: string, value: object, place: string): void {
  if (path !== 'start') throw new RangeError(`${place}.${path}: only start has between, lasts and clear`)
  const read = parseData(bound, value)
  const [issue] = read.error?.issues ?? []
  if (issue)
    throw new RangeError(`${place}.start${issue.path.map((name) => `.${String(name)}`).join('')}: ${issue.message}`)
}

function checkMethod(name: string, place: string, extraTools: readonly string[]): void {
  try {
    parseCallFilter({ method: name }, extraTools)
  } catch (error) {
    throw new RangeError(`${place}: ${(error as Error).message.replace(/^method: /, '')}`)
  }
}

function checkAttack(given: Attack, extraTools: readonly string[]): void {
  if (isSteps(given)) {
    checkSteps(given, 'attack', extraTools)
    return
  }
  const changes = [given.changes ?? []].flat()
  for (const [at, { times: _, ...parts }] of changes.entries())
    for (const [name, value] of Object.entries(parts)) checkExpected(value, `attack.changes[${at}].${name}`)
  requireKnownChanges(changes)
  for (const one of [given.mail ?? []].flat()) requireKnownMailFields(one)
  for (const [name, where] of Object.entries(given.calls ?? {})) {
    checkMethod(name, `attack.calls.${name}`, extraTools)
    checkExpected(where, `attack.calls.${name}`)
  }
}
