import { useRef, useState } from 'preact/hooks'
import type { SentRequest } from '../api/client.ts'
import { codeSnippets, type Snippet } from '../api/codeSnippets.ts'
import styles from './CopyButton.module.css'
import { Icon } from './Icon.tsx'

/** Resolves to false if the browser forbids it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Uses the command `copy` of older browsers, because there is no clipboard API on hosts without TLS. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  // Within a modal dialog only its own elements can be selected.
  const parent = document.querySelector('dialog[open]') ?? document.body
  const previous = document.activeElement
  parent.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } finally {
    area.remove()
    if (previous instanceof HTMLElement) previous.focus()
  }
}

type Props = {
  text: string
  label: string
  onFail?(): void
  children?: string
}

export function CopyButton({ text, label, onFail, children = 'Copy' }: Props) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const copy = async () => {
    const isCopied = await copyText(text)
    setState(isCopied ? 'copied' : 'failed')
    if (!isCopied) onFail?.()
  }
  return (
    <>
      <button type="button" class="quiet" aria-label={`${children}: ${label}`} onClick={() => void copy()}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} /> {children}
      </button>
      <span role="status" class={styles.state}>
        {state === 'copied' && 'Copied'}
        {state === 'failed' &&
          'The browser does not allow copying on this host. Press Ctrl+C to copy the selected text.'}
      </span>
    </>
  )
}

/** If the browser forbids copying, the text is selected. */
export function CopyableText({ name, text }: Snippet) {
  const element = useRef<HTMLPreElement>(null)
  const select = () => {
    if (element.current) getSelection()?.selectAllChildren(element.current)
  }
  return (
    <div class={styles.text}>
      <div class={styles.head}>
        <span class={styles.name}>{name}</span>
        <CopyButton text={text} label={name} onFail={select} />
      </div>
      <pre ref={element} data-snippet={name}>
        {text}
      </pre>
    </div>
  )
}

export const RequestSnippets = ({ sent }: { sent: SentRequest }) => (
  <>
    {codeSnippets(sent).map((snippet) => (
      <CopyableText key={snippet.name} {...snippet} />
    ))}
  </>
)
