import type { ComponentChildren } from 'preact'
import type { Read } from '../reading.ts'
import { Notice } from './notice.tsx'
import { Progress } from './progress.tsx'

type Props<T> = { read: Read<T>; children(data: T): ComponentChildren }

/** What was read, once it is there; until then that it is coming, or why it does not come. */
export function Shown<T>({ read, children }: Props<T>) {
  if (read.refused) return <Notice refused={read.refused} />
  if (read.data === undefined) return <Progress>Reading</Progress>
  return <>{children(read.data)}</>
}
