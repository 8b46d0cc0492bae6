import { resolve } from 'node:path'
import { defineConfig } from 'tsdown'
import { beside } from './build/beside.ts'
import { facade } from './build/facade.ts'
import { writesFixtures } from './build/fixtures.ts'
import { notices } from './build/notices.ts'
import { plainTypes } from './build/plainTypes.ts'
import { writesSeedSchema } from './build/seedSchema.ts'
import { onFirstUse, withGlobals, without } from './build/substitutes.ts'

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

/** The packages of a user's project that the entries import. */
const EXTERNAL = [/^vitest$/, /^@jest\//, /^expect$/, /^@playwright\//, /^@googleapis\//]

/** The entries that `import` and `require` load, with their declarations. */
const ENTRIES = {
  index: 'src/index.ts',
  intercept: 'src/interception/intercept.ts',
  register: 'src/interception/register.ts',
  ical: 'src/ical.ts',
  runners: 'src/runners/runner.ts',
  jest: 'src/runners/jest.ts',
  'node-test': 'src/runners/nodeTest.ts',
  playwright: 'src/runners/playwright.ts',
}

const node = defineConfig({
  entry: {
    ...ENTRIES,
    cli: 'src/cli/main.ts',
    namespaceGateway: 'src/interception/namespaceGateway.ts',
    consentBrowser: 'src/cli/exec/consentBrowser.ts',
  },
  platform: 'node',
  // CommonJS loads everywhere, jest's default mode included. `import` loads a facade over it.
  format: 'cjs',
  fixedExtension: false,
  hash: false,
  minify: true,
  // Two files hold what every start needs: to open one takes as long as to compile 10 kB (measured: 17 ms on Node 20).
  outputOptions: (options, _, { cjsDts }) =>
    cjsDts
      ? { ...options, chunkFileNames: 'shared-[name].d.cts' }
      : {
          ...options,
          codeSplitting: {
            groups: [
              { name: 'world', test: /src\/life\/seed\.ts$/, priority: 2 },
              { name: 'server', test: /src\/server\/server\.ts$/, priority: 1 },
              { name: 'command', test: /src\/cli\/commands\/serve\.ts$/ },
            ],
          },
        },
  dts: { entry: Object.values(ENTRIES) },
  // The declarations are a pass of their own, which does not run `plugins`.
  inputOptions: (options, _, { cjsDts }) =>
    cjsDts
      ? {
          ...options,
          plugins: [options.plugins, plain, beside({ of: 'types/clientTypes.cjs', entry: './clientTypes.cjs' })],
        }
      : options,
  // All other packages are bundled: the package installs nothing but itself.
  deps: { onlyBundle: false, neverBundle: EXTERNAL },
  copy: ['types/*'],
  plugins: [
    facade({ entries: Object.keys(ENTRIES), awaited: { register: 'registered' } }),
    writesFixtures(),
    writesSeedSchema({ name: 'seed.schema.json' }),
    notices({ file: 'THIRD-PARTY-NOTICES.md' }),
    // Few recurrence rules need it. Measured: 9 ms of a start on Node 20.
    onFirstUse('rrule'),
    // Loading the classes of the platform takes 22 ms of a start, and most requests need none of them.
    withGlobals({
      from: resolve('src/server/platform.ts'),
      modules: {
        'src/server/sockets/listen.ts': ['globalThis'],
        '@hono/node-server/dist/index.mjs': ['global', 'globalThis', 'Headers', 'Request', 'Response'],
      },
    }),
    // The adapter imports it to detect requests by HTTP/2, which the server does not accept. Loading it takes 6 ms of a start.
    without('node:http2', 'export class Http2ServerRequest {}; export const constants = {}'),
  ],
})

/** The handlers of msw, which browsers load too, in both module systems. */
const msw = defineConfig({
  entry: { msw: 'src/interception/msw.ts' },
  platform: 'neutral',
  format: ['cjs', 'esm'],
  outExtensions: ({ format }) => (format === 'cjs' ? { js: '.cjs' } : { js: '.js' }),
  hash: false,
  minify: true,
  clean: false,
  dts: false,
})

/** The entry for vitest, which only `import` can load. It shares the code of the other runners. */
const vitest = defineConfig({
  entry: { vitest: 'src/runners/vitest.ts' },
  platform: 'node',
  format: 'esm',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  hash: false,
  minify: true,
  clean: false,
  dts: true,
  deps: { neverBundle: EXTERNAL },
  plugins: [beside({ of: 'src/runners/runner.ts', entry: './runners.js' })],
})

export default [node, msw, vitest]
