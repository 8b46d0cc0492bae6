import type { Story } from './index.cjs'

declare const story: Story
export = story
