import { useRef, useState } from 'preact/hooks'
import { Icon } from './Icon.tsx'

/** The text stays selected, so that Ctrl+C copies it if the browser forbids the button to. */
export function CopyableText({ name, text }: { name: string; text: string }) {
  const element = useRef<HTMLPreElement>(null)
  const [isCopied, setCopied] = useState<boolean>()
  const copy = () => {
    if (element.current) getSelection()?.selectAllChildren(element.current)
    // The clipboard API does not exist on hosts without TLS.
    setCopied(document.execCommand('copy'))
  }
  return (
    <div class="json">
      <div class="actions">
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
