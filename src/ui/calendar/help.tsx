import { Fragment } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { KEYS } from './keys.ts'

export const Help = ({ close }: { close(): void }) => (
  <Dialog title="Keys" close={close}>
    <dl class="keys">
      {KEYS.map(({ keys, does }) => (
        <Fragment key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </Fragment>
      ))}
    </dl>
  </Dialog>
)
