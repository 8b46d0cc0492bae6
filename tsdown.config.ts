import { resolve } from 'node:path'
import { defineConfig } from 'tsdown'
import { beside } from './build/beside.ts'
import { evaluated } from './build/evaluated.ts'
import { facade } from './build/facade.ts'
import { fixtureTypes } from './build/fixtureTypes.ts'
import { handlersTypes } from './build/handlersTypes.ts'
import { later } from './build/later.ts'
import { notices } from './build/notices.ts'
import { plainTypes } from './build/plainTypes.ts'
import { writesSeedSchema } from './build/seedSchema.ts'
import { standing } from './build/standing.ts'
import { typesAlone } from './build/typesAlone.ts'
import { without } from './build/without.ts'
import * as schemas from './src/wire/schemas.ts'

const plain = [
  plainTypes({ of: 'src/wire/seeds/seed.ts', names: ['Seed'] }),
  plainTypes({
    of: 'src/wire/seeds/oauth.ts',
    names: ['OAuthSeed', 'OAuthCue', 'OAuthClient', 'ServiceAccount', 'OAuthSubject', 'Consent', 'AuthCode', 'Device'],
  }),
  plainTypes({
    of: 'src/wire/conferencePolicy.ts',
    names: [
      'ConferenceMode',
      'ConferencePolicy',
      'ConferenceRule',
      'ConferenceSettlement',
      'PendingConference',
      'ConferenceState',
    ],
  }),
]

/** What a test brings that uses an entry for its runner. */
const THEIRS = [/^vitest$/, /^@jest\//, /^expect$/, /^@playwright\//, /^@googleapis\//]

const RUNNERS = {
  runners: 'src/runners/runner.ts',
  jest: 'src/runners/jest.ts',
  'node-test': 'src/runners/nodeTest.ts',
  playwright: 'src/runners/playwright.ts',
}

/** Files that hold all that a module imports, and not a file for each way of sharing it. The first takes what it needs. */
const WHOLE = [
  { name: 'world', test: /src\/life\/seed\.ts$/, priority: 2 },
  { name: 'server', test: /src\/server\.ts$/, priority: 1 },
]

const node = defineConfig({
  entry: {
    index: 'src/index.ts',
    cli: 'src/cli.ts',
    intercept: 'src/ways/intercept.ts',
    register: 'src/register.ts',
    gate: 'src/ways/gate.ts',
    ical: 'src/ical.ts',
    ...RUNNERS,
  },
  platform: 'node',
  // CommonJS, which everything can load: jest's default mode as well. What `import` finds is a facade over it.
  format: 'cjs',
  fixedExtension: false,
  hash: false,
  minify: true,
  // What every start needs is two files: to find, open and read one takes as long as to compile 10 kB. What reads files of
  // iCalendar needs the first of them alone.
  outputOptions: (options, _, { cjsDts }) => (cjsDts ? options : { ...options, codeSplitting: { groups: WHOLE } }),
  dts: { entry: ['src/index.ts', 'src/ways/intercept.ts', 'src/register.ts', 'src/ical.ts'] },
  // The declarations are a pass of their own, to which `plugins` does not belong.
  inputOptions: (options, _, { cjsDts }) => (cjsDts ? { ...options, plugins: [options.plugins, plain] } : options),
  // Everything that is imported is bundled: the package installs and loads nothing but itself.
  deps: { onlyBundle: false, neverBundle: THEIRS },
  plugins: [
    facade({
      entries: {
        index: {},
        intercept: {},
        register: { awaits: 'registered' },
        ical: {},
        runners: {},
        jest: {},
        'node-test': {},
        playwright: {},
      },
    }),
    fixtureTypes({ name: 'fixture' }),
    writesSeedSchema({ name: 'seed.schema.json' }),
    notices({ file: 'THIRD-PARTY-NOTICES.md' }),
    evaluated({ of: 'src/wire/schemas.ts', exports: schemas }),
    // Few rules number the days or weeks of a year.
    later('rrule'),
    // Loading the platform's classes is 15 % of a start, and most requests need none of them.
    standing({
      from: resolve('build/platform.ts'),
      modules: {
        'src/http/listen.ts': ['globalThis'],
        '@hono/node-server/dist/index.mjs': ['global', 'globalThis', 'Headers', 'Request', 'Response'],
      },
    }),
    // The adapter asks of each request whether it came by HTTP/2, which we do not serve; loading it is 5 % of a start.
    without('node:http2', 'export class Http2ServerRequest {}; export const constants = {}'),
  ],
})

/** What browsers load too: it holds nothing that is to be one in a process, and is written in both module systems. */
const anywhere = defineConfig({
  entry: { msw: 'src/ways/msw.ts' },
  platform: 'neutral',
  format: ['cjs', 'esm'],
  outExtensions: ({ format }) => (format === 'cjs' ? { js: '.cjs' } : { js: '.js' }),
  hash: false,
  minify: true,
  clean: false,
  dts: false,
  plugins: [handlersTypes({ name: 'msw' })],
})

/** Their declarations are those of the package and some more. */
const runners = defineConfig({
  entry: RUNNERS,
  platform: 'node',
  format: 'cjs',
  fixedExtension: false,
  hash: false,
  clean: false,
  dts: { emitDtsOnly: true },
  deps: { neverBundle: THEIRS },
  copy: [{ from: 'src/runners/clientTypes.d.cts', to: 'dist' }],
  plugins: [typesAlone()],
  inputOptions: (options, _, { cjsDts }) =>
    cjsDts
      ? {
          ...options,
          plugins: [
            options.plugins,
            beside({ of: 'src/index.ts', entry: './index.cjs' }),
            beside({ of: 'src/runners/clientTypes.cjs', entry: './clientTypes.cjs' }),
          ],
        }
      : options,
})

/** Vitest is there for `import` alone. All but what is said to vitest is that of the other runners. */
const vitest = defineConfig({
  entry: { vitest: 'src/runners/vitest.ts' },
  platform: 'node',
  format: 'esm',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  hash: false,
  minify: true,
  clean: false,
  dts: true,
  deps: { neverBundle: THEIRS },
  plugins: [beside({ of: 'src/runners/runner.ts', entry: './runners.js' })],
})

export default [node, anywhere, runners, vitest]
