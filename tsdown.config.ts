import { defineConfig } from 'tsdown'
import { notices } from './build/notices.ts'
import { plainTypes } from './build/plainTypes.ts'

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
  plugins: [notices({ file: 'THIRD-PARTY-NOTICES.md' }), plainTypes({ of: 'src/wire/seed.ts', names: ['Seed'] })],
})
