import type { ComponentChildren } from 'preact'
import styles from './EmptyState.module.css'
import { Icon, type IconName } from './Icon.tsx'

type Props = { icon: IconName; title: string; children?: ComponentChildren }

/** The content of an empty list or page: a title, and texts or buttons for the next step. */
export const EmptyState = ({ icon, title, children }: Props) => (
  <div class={styles.empty}>
    <Icon name={icon} size={32} />
    <p class={styles.title}>{title}</p>
    {children}
  </div>
)
