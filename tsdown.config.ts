import { defineConfig } from 'tsdown'
import { evaluated } from './build/evaluated.ts'
import { facade } from './build/facade.ts'
import { fixtureTypes } from './build/fixtureTypes.ts'
import { notices } from './build/notices.ts'
import { plainTypes } from './build/plainTypes.ts'
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

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts', 'src/ical.ts'],
  platform: 'node',
  // CommonJS, which everything can load: jest's default mode as well. What `import` finds is a facade over it.
  format: 'cjs',
  fixedExtension: false,
  hash: false,
  minify: true,
  dts: { entry: ['src/index.ts', 'src/ical.ts'] },
  // The declarations are a pass of their own, to which `plugins` does not belong.
  inputOptions: (options, _, { cjsDts }) => (cjsDts ? { ...options, plugins: [options.plugins, plain] } : options),
  // Everything that is imported is bundled: the package installs and loads nothing but itself.
  deps: { onlyBundle: false },
  plugins: [
    facade({ entry: 'index' }),
    facade({ entry: 'ical' }),
    fixtureTypes({ name: 'fixture' }),
    notices({ file: 'THIRD-PARTY-NOTICES.md' }),
    evaluated({ of: 'src/wire/schemas.ts', exports: schemas }),
    // The adapter asks of each request whether it came by HTTP/2, which we do not serve; loading it is 5 % of a start.
    without('node:http2', 'export class Http2ServerRequest {}; export const constants = {}'),
  ],
})
