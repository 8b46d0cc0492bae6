import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DOCS = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Returns a link of the sidebar, named by the first heading of its page. */
function page(path) {
  const [, text] = /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8'))
  return { text, link: `/${path.replace(/README\.md$/, '').replace(/\.md$/, '')}` }
}

const group = (text, folder, names, more = {}) => ({
  text,
  items: names.map((name) => page(`${folder}/${name}.md`)),
  ...more,
})

const CHAPTERS = readdirSync(join(DOCS, 'behaviour'))
  .filter((name) => /^\d/.test(name))
  .map((name) => name.replace(/\.md$/, ''))

export default {
  title: 'fake-calendar',
  description: 'An in-memory fake of the Google Calendar API v3 for tests, CI and demos.',
  lang: 'en',
  rewrites: { 'behaviour/README.md': 'behaviour/index.md' },
  // Pages and pictures are copied by VitePress. Other linked files are not.
  buildEnd({ outDir }) {
    for (const path of ['guides/scaling', 'guides/containers', 'guides/languages', 'llms.txt'])
      cpSync(join(DOCS, path), join(outDir, path), { recursive: true })
  },
  markdown: {
    languageAlias: { ics: 'txt' },
    // The repository shows README.md as the page of its folder, the site index.md.
    config(md) {
      const { normalizeLink } = md
      md.normalizeLink = (url) => normalizeLink(url.replace(/\bREADME\.md\b/, 'index.md'))
    },
  },
  // The index of the local search is one chunk.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start/what-it-is', activeMatch: '/start/' },
      { text: 'Guides', link: '/guides/', activeMatch: '/guides/' },
      { text: 'Reference', link: '/reference/command-line', activeMatch: '/(reference|behaviour)/' },
      { text: 'Explanation', link: '/explanation/accuracy', activeMatch: '/explanation/' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
    sidebar: [
      group('Start', 'start', ['what-it-is', 'install', 'first-test', 'server', 'inspector']),
      group('Guides: test your application', 'guides', [
        'sync-tokens',
        'lost-answers',
        'errors-and-retries',
        'push',
        'changed-instance',
        'sign-in',
        'credentials',
        'recurring-events',
        'several-users',
        'conferences',
        'time',
        'parallel-tests',
        'calls',
        'changes',
        'booking',
      ]),
      group('Guides: connect your program', 'guides', [
        'node',
        'test-runners',
        'from-mocks',
        'python',
        'languages',
        'browser',
        'programs',
        'without-google',
        'neighbours',
        'ci',
        'containers',
        'mcp',
        'agents',
        'harnesses',
        'scaling',
      ]),
      group('Guides: demos and real data', 'guides', ['demo-worlds', 'icalendar', 'your-calendar']),
      group('Reference', 'reference', [
        'command-line',
        'library',
        'control',
        'faults',
        'hints',
        'seeds',
        'fields',
        'fidelity',
      ]),
      group('The book of facts', 'behaviour', ['README', ...CHAPTERS], { collapsed: true }),
      group('Explanation', 'explanation', ['accuracy', 'architecture', 'decisions', 'performance']),
      page('contributing/recipes.md'),
      page('troubleshooting.md'),
    ],
  },
}
