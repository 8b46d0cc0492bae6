import { ClockSection } from './ClockSection.tsx'
import { FilesSection } from './FilesSection.tsx'
import { QuotaSection } from './QuotaSection.tsx'
import { SnapshotsSection } from './SnapshotsSection.tsx'
import { SyncTokensSection } from './SyncTokensSection.tsx'
import styles from './WorldPanel.module.css'

/** The world as a whole: clock, seed and state, snapshots, quota and sync tokens. */
export default function WorldPanel() {
  return (
    <div class={styles.panel}>
      <ClockSection />
      <FilesSection />
      <SnapshotsSection />
      <QuotaSection />
      <SyncTokensSection />
    </div>
  )
}
