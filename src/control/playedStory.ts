import { z } from 'zod'

/** The latest step of a story that is played in a world, and whether the next one waits. */
export type StoryProgress = {
  /** Empty before the first step. */
  title: string
  /** The time of the step, as RFC 3339 text. */
  at?: string | undefined
  /** The account that sent the request of the step. */
  account?: string | undefined
  isPaused: boolean
  isOver: boolean
}

/** `pause` holds the story, `play` continues it, and `next` plays one step at once. */
export const storyAction = z.strictObject({ action: z.enum(['pause', 'play', 'next']) })

export interface PlayedStory {
  readonly progress: StoryProgress
  act(action: z.output<typeof storyAction>['action']): void
}
