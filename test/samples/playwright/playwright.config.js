import { defineConfig } from '@playwright/test'

// The browser that the machine has, where one is named.
const { CHROMIUM: executablePath } = process.env

export default defineConfig({
  testMatch: '*.spec.js',
  reporter: 'line',
  use: { launchOptions: { executablePath, args: ['--no-sandbox'] } },
})
