/** Errors of wrong arguments, of failed verifications and of waits, which say by themselves what is wrong. */
const EXPLAINED = ['RangeError', 'SeedError', 'VerificationError', 'Error']

/** The own frames of errors whose stack was moved, because public functions call others. */
const ownFrames = new WeakMap<Error, string>()

/**
 * Runs the body of a public function. The stack of an error begins with the caller of `entry`, because test runners show the line of its
 * first frame. Errors that may be defects of this package, such as a TypeError, keep their own frames after those of the caller.
 */
export function runForCaller<R>(entry: (...given: never[]) => unknown, body: () => R): R {
  try {
    const outcome = body()
    return outcome instanceof Promise ? (rejectForCaller(entry, outcome) as R) : outcome
  } catch (error) {
    throw moveStack(error, captureFrames(entry))
  }
}

/** Takes the frames at the call, because a rejection comes from a later turn of the event loop. */
function rejectForCaller<T>(entry: (...given: never[]) => unknown, outcome: Promise<T>): Promise<T> {
  const frames = captureFrames(entry)
  return outcome.catch((error) => {
    throw moveStack(error, frames)
  })
}

function captureFrames(entry: (...given: never[]) => unknown): string {
  const place = { stack: '' }
  Error.captureStackTrace?.(place, entry)
  return place.stack.slice(place.stack.indexOf('\n'))
}

function moveStack(error: unknown, frames: string): unknown {
  if (!(error instanceof Error) || !frames.includes('\n')) return error
  const own = EXPLAINED.includes(error.name) ? '' : (error.stack ?? '').replace(/^.*?(?=\n {4}at )/s, '')
  const rest = ownFrames.get(error) ?? own
  ownFrames.set(error, rest)
  error.stack = `${error.name}: ${error.message}${frames}${rest}`
  return error
}
