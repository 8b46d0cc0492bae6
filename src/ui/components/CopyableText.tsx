import { useRef, useState } from 'preact/hooks'
import type { SentRequest } from '../api/client.ts'
import { codeSnippets, type Snippet } from '../api/codeSnippets.ts'
import styles from './CopyableText.module.css'
import { Icon } from './Icon.tsx'

/** The text stays selected, so that Ctrl+C copies it if the browser forbids the button to. */
export function CopyableText({ name, text }: Snippet) {
  const element = useRef<HTMLPreElement>(null)
  const [isCopied, setCopied] = useState<boolean>()
  const copy = () => {
    if (element.current) getSelection()?.selectAllChildren(element.current)
    // The clipboard API does not exist on hosts without TLS.
    setCopied(document.execCommand('copy'))
  }
  return (
    <div class={styles.text}>
      <div class={styles.head}>
        <span>{name}</span>
        <span role="status">
          {isCopied && 'Copied'}
          {isCopied === false && 'The browser does not allow copying on this host. Press Ctrl+C.'}
        </span>
        <button type="button" class="quiet" aria-label={`Copy: ${name}`} onClick={copy}>
          <Icon name={isCopied ? 'check' : 'copy'} /> Copy
        </button>
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
