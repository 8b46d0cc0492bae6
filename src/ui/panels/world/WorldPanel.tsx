import { ClockSection } from './ClockSection.tsx'
import { FilesSection } from './FilesSection.tsx'
import { QuotaSection } from './QuotaSection.tsx'
import { SnapshotsSection } from './SnapshotsSection.tsx'
import { SyncTokensSection } from './SyncTokensSection.tsx'
import styles from './WorldPanel.module.css'

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
