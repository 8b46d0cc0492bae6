import { existsSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { blocks, pages } from '../support/pages.ts'

const FILES = [...pages, 'docs/behaviour/README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']

/** The anchor of a heading, as code hosts and VitePress write it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .replace(/\s/g, '-')

const textOf = (file: string): string => readFileSync(file, 'utf8').replace(/^```.*?^```$/gms, '')
const anchorsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

test.each(FILES)('every link of %s leads to a file, and to a heading of it', (file) => {
  const links = [...textOf(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, to = '']) => to)
  const dead = links.filter((to) => {
    const [path = '', anchor] = to.split('#')
    const target = path === '' ? file : normalize(`${dirname(file)}/${path}`)
    if (!existsSync(target)) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
  })

  expect(dead).toEqual([])
})

test('every page for users begins with a title and a sentence', () => {
  const headless = pages.filter(
    (page) => !/^(?:---\n.*?\n---\n\n)?# [^\n]+\n\n[A-Za-z]/s.test(readFileSync(page, 'utf8')),
  )
  expect(headless).toEqual([])
})

/** The pages of tasks that have commands or code, and the text above the first. */
const openings = pages
  .filter((page) => /^docs\/(guides|start)\//.test(page) && page !== 'docs/start/install.md')
  .flatMap((page) => {
    const [opening = '', ...rest] = readFileSync(page, 'utf8').split(/^```|`npx fake-calendar/m)
    return rest.length === 0 ? [] : [[page, opening] as const]
  })

test.each(openings)('%s leads to Install before its first command', (_, opening) => {
  expect(opening).toMatch(/\]\((\.\.\/start\/)?install\.md\)/)
})

test('no command of a page installs the package by its name, which no registry has', () => {
  const byName = blocks.flatMap(({ page, text }) =>
    /\bnpm (?:i|install|add)\b[^\n]* fake-calendar(?:\s|$)/.test(text) ? [page] : [],
  )
  expect(byName).toEqual([])
})

test('the links of llms.txt lead to pages, and SKILL.md has at most 120 lines', () => {
  const targets = [...readFileSync('docs/llms.txt', 'utf8').matchAll(/\]\((\S+)\)/g)].map(([, to = '']) => to)

  expect(targets.length).toBeGreaterThan(10)
  expect(targets.filter((to) => !existsSync(`docs/${to}`))).toEqual([])
  expect(readFileSync('SKILL.md', 'utf8').split('\n').length).toBeLessThanOrEqual(121)
})
