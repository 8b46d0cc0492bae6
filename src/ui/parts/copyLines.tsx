import { useState } from 'preact/hooks'
import { type Lines, linesOf, type Made } from '../made.ts'

/** A call that was made, as its method and in the words of curl, Node and Python, each to be copied. */
export const CopyLines = ({ made }: { made: Made }) => <Copied lines={linesOf(made)} label="The call that was made" />

/** Texts by their names, each to be copied. */
export function Copied({ lines, label }: { lines: Lines; label: string }) {
  return (
    <dl class="lines" aria-label={label}>
      {lines.map(({ name, text }) => (
        <Line key={name} name={name} text={text} />
      ))}
    </dl>
  )
}

function Line({ name, text }: { name: string; text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <pre>{text}</pre>
        <button type="button" aria-label={`Copy as ${name}`} onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </dd>
    </>
  )
}
