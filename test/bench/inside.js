import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bursts } from './bursts.js'
import { coldStarts } from './coldStart.js'
import { importTimes } from './importTime.js'
import { navigation } from './inspector.js'
import { journal } from './journal.js'
import { diff, fork, freshFake, reset, restore } from './perTest.js'
import { series } from './series.js'

/** Measurements without a server: calls in process, and the start. */
const LARGE_EVENT_COUNT = 100_000
const SMALL_EVENT_COUNT = 1_000
const HEAP = fileURLToPath(new URL('heap.js', import.meta.url))
const FORKED = 10_000
const FORKS = fileURLToPath(new URL('forks.js', import.meta.url))
const us = (value) => `${value.toFixed(0)} µs`
const ms = (value) => `${value.toFixed(1)} ms`

export const inside = [
  {
    name: 'inspector',
    async run() {
      const { scripting, viewed } = await navigation()
      return {
        what: `the inspector, 10,000 events stored: to a month of ${viewed}`,
        ours: ms(scripting),
        target: '<= 100 ms of scripting',
        met: scripting <= 100,
      }
    },
  },
  {
    name: 'series',
    async run() {
      const { inText, youngInText, read, walked, instances } = await series()
      const beside = `plain rrule, to dates alone ${ms(walked)}`
      const ratio = (ours) => `${(walked / ours).toFixed(0)} x`
      return [
        {
          what: `1,000 series begun 2000, one week: a reply of ${instances} instances, to its text`,
          ours: ms(inText),
          beside: `${beside}; begun 2025: ${ms(youngInText)}`,
          ratio: ratio(inText),
          target: '>= 1000 x',
          met: walked / inText >= 1000,
        },
        { what: 'the same, with JSON.parse of it by the client', ours: ms(read), beside, ratio: ratio(read) },
      ]
    },
  },
  {
    name: 'fresh',
    async run() {
      const duration = await freshFake()
      return { what: 'fresh fake + first call', ours: us(duration), target: '<= 80 µs', met: duration <= 80 }
    },
  },
  {
    name: 'reset',
    async run() {
      const duration = await reset(SMALL_EVENT_COUNT, 10)
      return {
        what: 'reset at 1,000 events after 10 changes',
        ours: us(duration),
        target: '<= 30 µs',
        met: duration <= 30,
      }
    },
  },
  {
    name: 'restore',
    async run() {
      const duration = await restore(SMALL_EVENT_COUNT, 10)
      return {
        what: 'restore at 1,000 events after 10 changes',
        ours: us(duration),
        target: '<= 30 µs',
        met: duration <= 30,
      }
    },
  },
  {
    name: 'fork',
    async run() {
      const duration = await fork(SMALL_EVENT_COUNT, 10)
      return {
        what: 'fork of 1,000 events after 10 changes',
        ours: us(duration),
        target: '<= 60 µs',
        met: duration <= 60,
      }
    },
  },
  {
    name: 'diff',
    async run() {
      const [few, many] = [await diff(SMALL_EVENT_COUNT, 10), await diff(LARGE_EVENT_COUNT, 10)]
      return {
        what: 'diff of 10 changes at 100,000 events',
        ours: us(many),
        beside: `at 1,000: ${us(few)}`,
        ratio: `${(many / few).toFixed(2)} x`,
        target: '<= 2 x',
        met: many / few <= 2,
      }
    },
  },
  {
    name: 'forks',
    async run() {
      const args = ['--expose-gc', FORKS, String(SMALL_EVENT_COUNT), String(FORKED)]
      const bytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
      const ours = `${(bytes / 1e6).toFixed(0)} MB`
      return { what: '10,000 forks of a world of 1,000 events', ours, target: '< 200 MB', met: bytes < 200e6 }
    },
  },
  {
    name: 'heap',
    async run() {
      const bytes = Number(
        execFileSync(process.execPath, ['--expose-gc', HEAP, String(LARGE_EVENT_COUNT)], { encoding: 'utf8' }),
      )
      const ours = `${(bytes / 1000).toFixed(2)} kB`
      return { what: 'heap per event at 100,000', ours, target: '<= 1.5 kB', met: bytes <= 1500 }
    },
  },
  {
    name: 'journal',
    async run() {
      const { on, off, ratio } = await journal()
      return {
        what: 'events.get with the journal on',
        ours: `${on.toFixed(1)} µs`,
        beside: `off: ${off.toFixed(1)} µs`,
        ratio: `${ratio.toFixed(3)} x`,
        target: '<= 1.05 x',
        met: ratio <= 1.05,
      }
    },
  },
  {
    name: 'import',
    run() {
      const { ours, msw } = importTimes()
      return {
        what: "import of 'fake-calendar'",
        ours: ms(ours),
        beside: `msw/node ${ms(msw)}`,
        ratio: `${(msw / ours).toFixed(2)} x`,
        target: '<= 80 ms',
        met: ours <= 80,
      }
    },
  },
  {
    name: 'start',
    async run() {
      const rows = await coldStarts()
      return rows.map(({ line, missing, runs, ours, hello, ratio }) => {
        const what = `cold start to the first answer, Node ${line}`
        if (missing) return { what, ours: missing }
        return {
          what: `${what} (${runs} runs)`,
          ours: ms(ours),
          beside: `a bundled greeting on Hono ${ms(hello)}`,
          ratio: `${ratio.toFixed(2)} x`,
          target: '<= 1.25 x',
          met: ratio <= 1.25,
        }
      })
    },
  },
  {
    name: 'push',
    run: () =>
      bursts().map(([what, ours, beside, ratio, limit]) => ({
        what,
        ours,
        beside,
        ratio: typeof ratio === 'number' ? `${ratio.toFixed(2)} x` : '',
        target: limit,
      })),
  },
]
