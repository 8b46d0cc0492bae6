import { defineConfig } from 'tsdown'
import { evaluated } from './build/evaluated.ts'
import { notices } from './build/notices.ts'
import { plainTypes } from './build/plainTypes.ts'
import { without } from './build/without.ts'
import * as schemas from './src/wire/schemas.ts'

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts'],
  platform: 'node',
  format: 'esm',
  fixedExtension: false,
  hash: false,
  minify: true,
  dts: { entry: 'src/index.ts' },
  // Everything that is imported is bundled: the package installs and loads nothing but itself.
  deps: { onlyBundle: false },
  plugins: [
    notices({ file: 'THIRD-PARTY-NOTICES.md' }),
    evaluated({ of: 'src/wire/schemas.ts', exports: schemas }),
    plainTypes({ of: 'src/wire/seed.ts', names: ['Seed'] }),
    plainTypes({
      of: 'src/wire/conferencePolicy.ts',
      names: ['ConferencePolicy', 'ConferenceRule', 'ConferenceSettlement', 'PendingConference', 'ConferenceState'],
    }),
    // The adapter asks of each request whether it came by HTTP/2, which we do not serve; loading it is 5 % of a start.
    without('node:http2', 'export class Http2ServerRequest {}; export const constants = {}'),
  ],
})
