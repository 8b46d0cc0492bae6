import { basename, resolve } from 'node:path'
import type { UserConfig } from 'tsdown'
import { DECLARATIONS } from './build/declarations.ts'
import { fixturesOnFirstUse, writeFiles } from './build/files.ts'
import { notices } from './build/notices.ts'
import {
  beside,
  declares,
  deferred,
  edits,
  facade,
  onFirstUse,
  substitutes,
  WITHOUT_RULE_SENTENCES,
} from './build/plugins.ts'
import { FAULT_ALIASES, FAULT_NAMES } from './src/schema/faultNames.ts'

/** The packages of a user's project that the entries import. */
const EXTERNAL = [/^vitest$/, /^@jest\//, /^expect$/, /^@playwright\//, /^@googleapis\//]

/** The entries that `import` and `require` load, with their declarations. */
const ENTRIES = {
  index: 'src/index.ts',
  intercept: 'src/interception/intercept.ts',
  register: 'src/register.ts',
  ical: 'src/ical.ts',
  connect: 'src/connect.ts',
  runners: 'src/runners/runner.ts',
  jest: 'src/runners/jest.ts',
  'node-test': 'src/runners/nodeTest.ts',
  playwright: 'src/runners/playwright.ts',
}

/** The modules that need schemas, whose creation takes longer than all else on import, and the comparison of snapshots. */
const DEFERRED = [
  'src/seeds/parseSeed.ts',
  'src/control/functionRows.ts',
  'src/control/expectedFields.ts',
  'src/control/journal/expectedKeys.ts',
  'src/control/history/diff.ts',
]

/** Imports exports of a file in place of globals of the same names. */
const withGlobals = (names: string) => (code: string) =>
  `import { ${names} } from ${JSON.stringify(resolve('src/http/platform.ts'))}\n${code}`

/** Files of modules that every start needs, because opening a file takes as long as compiling 10 kB. */
const GROUPS = [
  { name: 'server', test: /src\/server\/server\.ts$/, priority: 1 },
  { name: 'command', test: /src\/cli\/commands\/serve\.ts$/ },
]
/** The names of errors alone. The compiler would also declare the texts of all errors, from which they derive. */
const FAULT_TYPES = declares(
  'src/schema/faultNames.d.ts',
  `export type FaultName = ${[...new Set([...FAULT_NAMES, ...FAULT_ALIASES])].map((name) => JSON.stringify(name)).join(' | ')}`,
)
/** The compiler would declare schemas by the types of zod. */
const SCHEMA_TYPES = Object.entries(DECLARATIONS).map(([path, declarations]) => declares(path, declarations))
const CLIENT_TYPES = beside({ of: 'types/clientTypes.cjs', entry: './clientTypes.cjs' })
const SMALL = { hash: false, minify: true, clean: false, dts: false } as const
const asJs = { outExtensions: () => ({ js: '.js', dts: '.d.ts' }) }

const node: UserConfig = {
  entry: {
    ...ENTRIES,
    cli: 'src/cli/main.ts',
    namespaceGateway: 'src/interception/namespaceGateway.ts',
    consentBrowser: 'src/cli/exec/consentBrowser.ts',
    rrule: 'node_modules/rrule/dist/esm/index.js',
    re2js: 're2js',
    ...Object.fromEntries(DEFERRED.map((path) => [basename(path, '.ts'), path])),
  },
  ...SMALL,
  clean: true,
  // CommonJS loads everywhere, jest's default mode included. `import` loads a facade over it.
  format: 'cjs',
  fixedExtension: false,
  outputOptions: (options, _, { cjsDts }) => ({
    ...options,
    ...(cjsDts ? { chunkFileNames: 'shared-[name].d.cts' } : { codeSplitting: { groups: GROUPS } }),
  }),
  dts: { entry: Object.values(ENTRIES) },
  // The declarations are a pass of their own, which does not run `plugins`.
  inputOptions: (options, _, { cjsDts }) => ({
    ...options,
    ...(cjsDts && { plugins: [FAULT_TYPES, ...SCHEMA_TYPES, options.plugins, CLIENT_TYPES] }),
  }),
  // All other packages are bundled: the package installs nothing but itself.
  deps: { onlyBundle: false, neverBundle: EXTERNAL },
  alias: {
    // Its main file would bundle its table twice.
    'windows-iana': resolve('node_modules/windows-iana/dist/windows-iana.esm.js'),
    // Its main file requires its parts by a function that no bundler follows.
    'jsonc-parser': resolve('node_modules/jsonc-parser/lib/esm/main.js'),
  },
  copy: ['types/*'],
  onSuccess: () => writeFiles('dist'),
  plugins: [
    facade({ entries: Object.keys(ENTRIES), awaited: { register: 'registered' } }),
    notices({ file: 'THIRD-PARTY-NOTICES.md' }),
    deferred(DEFERRED),
    substitutes({
      // The default validator of the MCP SDK, which takes 120 kB. Forms are checked in src/mcp/approval.ts.
      '@modelcontextprotocol/server/_shims':
        'export class DefaultJsonSchemaValidator {}; export const process = globalThis.process',
      './fixtureFiles.ts': fixturesOnFirstUse(),
      '../seeds/fixtureFiles.ts': fixturesOnFirstUse(),
      ...WITHOUT_RULE_SENTENCES,
      rrule: onFirstUse('rrule'),
      re2js: onFirstUse('re2js'),
      // The adapter imports it to detect requests by HTTP/2, which the server does not accept.
      'node:http2': 'export class Http2ServerRequest {}; export const constants = {}',
    }),
    edits({
      // Loading the classes of the platform takes long, and most requests need none of them.
      'src/http/listen.ts': withGlobals('globalThis'),
      '@hono/node-server/dist/index.mjs': withGlobals('global, globalThis, Headers, Request, Response'),
      // Zones of territories are not used, and would take 30 kB.
      'windows-iana/dist/windows-iana.esm.js': (code) =>
        code.replaceAll(/\{\s*windowsName: '[^']*',\s*territory: '(?!001)[^']*',\s*iana: \[[^\]]*\]\s*\},?/g, ''),
      // Reading the environment for each token took a third of the time.
      'yaml/dist/parse/parser.js': (code) => code.replace(/if \(node_process\.env\.LOG_TOKENS\)\n.*;/, ''),
      // `\p{…}` is translated before, so that no pattern needs the Unicode tables. They would exceed the limit of the package.
      're2js/build/index.js': (code) => code.replaceAll(/new LazyMap\(\{[\s\S]*?\n\t\}\)/g, 'new LazyMap({})'),
    }),
  ],
}

export default [
  node,
  // The handlers of msw, which browsers load too, in both module systems.
  { ...SMALL, ...asJs, entry: { msw: 'src/interception/msw.ts' }, platform: 'neutral', format: 'esm' },
  { ...SMALL, entry: { msw: 'src/interception/msw.ts' }, platform: 'neutral', format: 'cjs' },
  // The client of a running server as browsers load it. In Node it shares the error classes of the package.
  { ...SMALL, ...asJs, entry: { 'connect.browser': 'src/connect.ts' }, platform: 'browser', format: 'esm' },
  // The entry for vitest, which only `import` can load. It shares the code of the other runners.
  {
    ...{ ...SMALL, ...asJs, entry: { vitest: 'src/runners/vitest.ts' }, format: 'esm', dts: true },
    deps: { neverBundle: EXTERNAL },
    plugins: [beside({ of: 'src/runners/runner.ts', entry: './runners.js' })],
  },
  // The scripts of the service for web pages. Each is a file of its own that defines no global of its own.
  ...['api', 'gsi'].map((name) => ({
    ...{ ...SMALL, entry: { [name]: `src/server/pages/scripts/${name}.ts` }, outDir: 'dist/pageScripts' },
    ...({ platform: 'browser', format: 'iife' } as const),
  })),
] satisfies UserConfig[] as UserConfig[]
