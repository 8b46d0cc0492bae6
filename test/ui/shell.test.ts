import { describe, expect, test } from 'vitest'
import { ALICE, BOB } from '../support/calendar.ts'
import { inBrowser, lack, skipped } from './browser.ts'

describe.skipIf(lack)(`the inspector in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  test('has a tab for each panel, and says in the address which one is shown', async () => {
    const { open } = await inspected()
    const page = await open('world')

    const tabs = page.getByRole('navigation', { name: 'Panels' }).getByRole('button')
    expect(await tabs.allTextContents()).toEqual(
      expect.arrayContaining([
        'Calendar',
        'Side by side',
        'Requests',
        'World',
        'Mail',
        'Channels',
        'Conferences',
        'OAuth',
      ]),
    )
    await page.getByRole('button', { name: 'Mail' }).click()

    expect(new URL(page.url()).searchParams.get('panel')).toBe('mail')
    expect(await page.locator('[aria-current=page]').textContent()).toBe('Mail')
    await page.goBack()
    expect(await page.locator('[aria-current=page]').textContent()).toBe('World')
  })

  test('acts as the first account, or as the one that is chosen', async () => {
    const { open } = await inspected()
    const page = await open('world')
    const chooser = page.getByLabel('Act as')

    await expect.poll(() => chooser.inputValue()).toBe(ALICE)
    await chooser.selectOption(BOB)

    expect(new URL(page.url()).searchParams.get('account')).toBe(BOB)
  })

  test('with a control token in its fragment it gets in, and without it is told why not', async () => {
    const { open, base } = await inspected({ controlToken: 'a token & more' })
    const page = await open('world', { refusals: true })
    await expect.poll(() => page.getByLabel('Act as').inputValue()).toBe(ALICE)

    await page.goto('about:blank')
    await page.goto(base.replace(/#.*/, ''))

    expect(await page.getByRole('alert').textContent()).toContain('X-Fake-Control-Token')
  })

  test('a world by its own address shows that world', async () => {
    const { open, fake } = await inspected()
    fake.world('blue').seed({ accounts: [{ email: 'dana@example.com' }] })
    const page = await open('world', { world: 'blue' })

    await expect.poll(() => page.getByLabel('Act as').locator('option').allTextContents()).toContain('dana@example.com')
    expect(await page.getByLabel('World', { exact: true }).inputValue()).toBe('blue')
  })
})
