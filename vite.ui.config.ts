import preact from 'preact/package.json' with { type: 'json' }
import { defineConfig } from 'vite'
import { notices } from './build/notices.ts'
import { gzipped } from './build/plugins.ts'

/** Builds the inspector: a static page. File names hold a hash of their content, so that browsers cache them for long. */
export default defineConfig({
  root: 'src/ui',
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: preact.name } },
  build: {
    outDir: '../../dist/ui',
    emptyOutDir: true,
    target: 'es2023',
    // The style sheets use light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      onwarn(warning, warn) {
        // rrule has a default export in some of its forms only, and the code checks for it.
        if (warning.code !== 'IMPORT_IS_UNDEFINED') warn(warning)
      },
      output: {
        entryFileNames: 'inspector-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
    },
  },
  plugins: [notices({ file: 'THIRD-PARTY-NOTICES.md', append: true }), gzipped(/\.(js|css)$/)],
})
