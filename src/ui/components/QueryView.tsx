import type { ComponentChildren } from 'preact'
import type { Query } from '../hooks/useQuery.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Progress } from './Progress.tsx'

type Props<T> = { query: Query<T>; children(data: T): ComponentChildren }

/** The data of a query; while it loads a progress bar, and its error if it fails. */
export function QueryView<T>({ query: { data, error }, children }: Props<T>) {
  if (error) return <ErrorNotice error={error} />
  if (data === undefined) return <Progress>Loading</Progress>
  return <>{children(data)}</>
}
