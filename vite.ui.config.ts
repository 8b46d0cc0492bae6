import preact from 'preact/package.json' with { type: 'json' }
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { notices } from './build/notices.ts'

/** The inspector: a page of its own, which the server hands out as files. Names tell nothing of what is in them, so they are plain. */
export default defineConfig({
  root: 'src/ui',
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: preact.name } },
  // One Preact, which fullcalendar has as well.
  resolve: { dedupe: ['preact'] },
  build: {
    outDir: '../../dist/ui',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        entryFileNames: 'inspector.js',
        chunkFileNames: ({ name, facadeModuleId }) =>
          `${/\/(\w+)\/panel\.tsx$/.exec(facadeModuleId ?? '')?.[1] ?? name}.js`,
        assetFileNames: '[name][extname]',
      },
    },
  },
  plugins: [notices({ file: 'THIRD-PARTY-NOTICES.md', more: true }), compressed()],
})
