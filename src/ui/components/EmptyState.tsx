import type { ComponentChildren } from 'preact'
import styles from './EmptyState.module.css'
import { Icon, type IconName } from './Icon.tsx'

type Props = { icon: IconName; title: string; children?: ComponentChildren }

export const EmptyState = ({ icon, title, children }: Props) => (
  <div class={styles.empty}>
    <Icon name={icon} size={32} />
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
)
