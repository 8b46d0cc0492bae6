import type { ComponentChildren } from 'preact'
import { isUnreachable } from '../api/errors.ts'
import type { Query } from '../hooks/useQuery.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Progress } from './Progress.tsx'

type Props<T> = { query: Query<T>; children(data: T): ComponentChildren }

export function QueryView<T>({ query: { data, error }, children }: Props<T>) {
  if (error) return isUnreachable(error) ? null : <ErrorNotice error={error} />
  if (data === undefined) return <Progress>Loading</Progress>
  return <>{children(data)}</>
}
