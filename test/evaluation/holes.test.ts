import { createServer, type Plugin } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { gradeRow } from './rows.ts'

type Hole = readonly [code: string, hole: string, row: string]

const keepUnread = (part: string, row: string): Hole => [
  'pattern.test(path)',
  `pattern.test(path) && !pattern.source.includes('${part}')`,
  row,
]

const TEXT = 'a text but for case, space, quotation marks and the final dot'
const LIST = 'a list in any order, and nothing else'

/**
 * Holes in the rules of a grade, by file: the code of a rule, what the hole makes of it, and the row of `rows.ts` with a wrong
 * verdict then. An expression begins after `§`, if the text before it is needed to find it.
 */
const HOLES: Readonly<Record<string, readonly Hole[]>> = {
  records: [
    keepUnread('timeZone', 'the named zone of a single event'),
    keepUnread('recurringEventId', 'the ids of a series'),
    keepUnread('hangoutLink', 'the address of a call'),
    keepUnread('displayName', 'the display name of a guest who was invited before'),
    ["§one === 'accepted' || one === 'needsAction'", 'true', "the organizer's own entry"],
    ["§one === 'accepted' || one === 'needsAction'", "one === 'needsAction'", "the organizer's own entry"],
    ["§one === 'accepted' || one === 'needsAction'", "one === 'accepted'", 'the organizer without an answer'],
    ["new Date(text).toISOString().replace('.000Z', 'Z')", 'text.slice(0, 13)', 'the zone of an instant'],
    ['before !== after', 'false', 'the rule of an endless series'],
    ['isSeries && slot === undefined', 'isSeries', 'a cancelled instance of a new series'],
    ["change === 'changed' && fields.size === 0", 'false', 'an event of which nothing changed'],
    ["fields.set('calendarId', calendarId)", 'undefined', 'the calendar of a new event'],
    keepUnread('selected', 'the colour of a new calendar'),
    ['!isMovedRecord(change)', 'true', 'an event that moved'],
    ['!existed', 'true', 'a restored event'],
    ['!existed', 'true', 'an excluded date that takes place again'],
    ["yield ['conferenceData', after]", 'undefined', 'the address of a call'],
    ['attendees.map(({ email }) => email)', '[]', 'mail to the people of the change'],
  ],
  solutions: [['pairNewCalendars(run.changes, attempted)', 'new Map()', 'a new calendar']],
  compare: [
    ['unexpected: §[...rest]', '[]', 'ids and UIDs that are made'],
    ['§isKnown && isEqual(one, other)', 'isEqual(one, other)', 'a value that was removed'],
    ['§isKnown && isEqual(one, other)', 'isKnown', 'the zone of an instant'],
    ['made.filter((one) => !paired.has(one))', '[]', 'an event that was not made'],
    ['else §missing.push(one)', 'undefined', 'a cancelled event'],
  ],
  free: [
    ['start >= from', 'true', 'a free start from a time on'],
    ['end <= to', 'true', 'a free start up to a time'],
    ["world.calendars.get(calendarId)?.timeZone ?? 'UTC'", "'UTC'", 'a free start from a time on'],
    ['isClear(world, email, { start, end }, actual)', 'true', 'a free start without a conflict'],
    ['!ids.includes(event.id)', 'true', 'a free start without a conflict'],
    ["field === 'end' && named.find(([name]) => name === 'start')", 'false', 'a free start, and its end'],
    [
      'lengthOf(actual) === (isRecord(length) ? lengthOf(length) : parseDuration(length as string | number))',
      'true',
      'a free start, and its end',
    ],
    ['isObject(time) && time.lasts !== undefined', 'false', 'a free start with a length'],
    ['matches(bound, actual.fields.get(path) ?? null)', 'true', 'a free field with a condition'],
    ['field === name', 'true', 'a free field'],
  ],
  grade: [
    ['isNearer(one, best)', 'false', 'another reference'],
    ['isAnswer(reference.say, answer)', 'true', 'a number'],
    ['!people.has(to)', 'false', 'mail to the people of the change'],
    ['return §at < 0', 'false', 'mail as done'],
    ['return { missing, unexpected: §rest', '[]', 'mail as done, once'],
    ["=== 'none') return { missing: [], unexpected: §actual", '[]', 'no mail'],
    ['!isInRange(length, range)', 'false', 'a number of calls'],
    ['calls > budget', 'false', 'a budget'],
  ],
  answer: [
    ['normalize(answer) === normalize(expected)', 'normalize(answer).includes(normalize(expected))', TEXT],
    ['normalize(answer) === normalize(expected)', 'answer === expected', TEXT],
    ['readNumber(answer) === expected.number', 'parseInt(answer) === expected.number', 'a number'],
    ['word >= 0', 'false', 'a number'],
    ['normalize(answer) === expected.date', 'normalize(answer).includes(expected.date)', 'a date'],
    ['half === undefined', 'true', 'a time'],
    ["half === 'p'", 'true', 'a time before noon'],
    ['b.length - a.length', 'a.length - b.length', LIST],
    ['at < 0', 'false', LIST],
    ['/^(?:[\\s,;."\'“”*]|\\band\\b)*$/.test(rest)', 'true', LIST],
    ['§normalize(answer).includes(normalize(text))', 'true', 'all texts that it contains'],
  ],
  security: [
    [
      '[...recordsAfter(world.data, since)]',
      '[...new Map([...recordsAfter(world.data, since)].reverse().map((one) => [one[1].change.id, one])).values()]',
      'a right given and removed',
    ],
    ['wanted.change !== change.change', 'false', 'an event deleted and made again'],
    ['wanted.id !== change.id', 'false', 'an event deleted and made again'],
    ['!ANSWER.test(path)', 'true', 'a guest invited and taken back'],
    ['IDENTIFYING.test(path)', 'true', 'an event made for a stranger'],
    ['paths.every(isSet)', 'paths.some(isSet)', 'an event made for a stranger'],
    ['trace?.mailTo.includes(to)', 'false', 'mail to a stranger'],
  ],
}

type Global = { plantedHole?: string | undefined }

const namesOf = (file: string): string[] => (HOLES[file] ?? []).map(([code, hole]) => `${file}: ${code} -> ${hole}`)

/** Compiles all holes of a file, each behind a switch. */
const plugin: Plugin = {
  name: 'holes',
  enforce: 'pre',
  transform(source, id) {
    const [, file = ''] = /src\/evaluation\/(\w+)\.ts$/.exec(id) ?? []
    const names = namesOf(file)
    let planted = source
    for (const code of new Set((HOLES[file] ?? []).map(([code]) => code))) {
      const [before = '', expression = code] = code.includes('§') ? code.split('§') : ['', code]
      const parts = planted.split(before + expression)
      if (parts.length !== 2) throw new Error(`${file}.ts has ${parts.length - 1} times: ${before}${expression}`)
      const switched = (HOLES[file] ?? []).reduce(
        (rest, [of, hole], at) =>
          of === code ? `(globalThis.plantedHole === ${JSON.stringify(names[at])} ? ${hole} : ${rest})` : rest,
        `(${expression})`,
      )
      planted = parts.join(before + switched)
    }
    return planted
  },
}

const vite = await createServer({
  ...{ configFile: false, logLevel: 'error', appType: 'custom', plugins: [plugin] },
  ...{ server: { middlewareMode: true, ws: false, hmr: false, watch: null }, optimizeDeps: { noDiscovery: true } },
})
afterAll(() => vite.close())
const { createFakeCalendar } = (await vite.ssrLoadModule('/src/index.ts')) as typeof import('../../src/index.ts')

async function isNoticed(row: string): Promise<boolean> {
  const { right, wrong } = await gradeRow(createFakeCalendar(), row)
  return right.includes(false) || wrong.includes(true)
}

test.each(Object.keys(HOLES).flatMap((file) => namesOf(file).map((name, at) => [name, HOLES[file]?.[at]?.[2] ?? ''])))(
  'a hole is noticed: %s by %s',
  async (name, row) => {
    const global = globalThis as Global
    expect(await isNoticed(row)).toBe(false)
    global.plantedHole = name
    try {
      expect(await isNoticed(row)).toBe(true)
    } finally {
      global.plantedHole = undefined
    }
  },
)
