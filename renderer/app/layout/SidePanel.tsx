import { ChannelView, InfoSheet, MembersPanel, PinnedPanel } from '../../features/channel/index.ts'
import { channelTitle } from '../../features/sidebar/index.ts'
import { ContextPanel } from '../../features/search/index.ts'
import { OutboxPanel } from '../../features/outbox/index.ts'
import { ThreadPanel } from '../../features/threads/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useReturnFocus } from '../../lib/page/focus.ts'
import { useAppSelector } from '../../store/hooks.ts'
import type { Panel } from '../../store/window/ui.ts'
import { Region } from '../Region.tsx'
import styles from './Frame.module.css'

/** The sheet beside the conversation: one panel at a time. */
export function SidePanel() {
  const t = useTexts('common')
  const panel = useAppSelector((state) => state.ui.panel)
  const title = useAppSelector((state) => channelTitle(state, panel?.kind === 'channel' ? panel.cid : ''))
  useReturnFocus()
  if (panel === undefined) return null
  return (
    <aside
      className={styles['panel']}
      aria-label={panel.kind === 'channel' ? title : t(`panels.${panel.kind}`)}
      data-region="panel"
      // The other half keeps the focus: a panel or dialog that closes meanwhile does not restore an older focus.
      data-returns-focus={panel.kind === 'channel' ? undefined : ''}
    >
      <Region where={`panel ${panel.kind}`} resetKey={panel.kind === 'context' ? panel.cid : JSON.stringify(panel)}>
        <Content panel={panel} />
      </Region>
    </aside>
  )
}

function Content({ panel }: { readonly panel: Panel }) {
  switch (panel.kind) {
    case 'thread':
      return <ThreadPanel key={panel.parentId} cid={panel.cid} parentId={panel.parentId} />
    case 'pinned':
      return <PinnedPanel cid={panel.cid} />
    case 'members':
      return <MembersPanel cid={panel.cid} />
    case 'info':
      return <InfoSheet cid={panel.cid} page={panel.page} />
    case 'context':
      return <ContextPanel cid={panel.cid} messageId={panel.messageId} />
    case 'channel':
      return <ChannelView key={panel.cid} cid={panel.cid} beside />
    case 'outbox':
      return <OutboxPanel />
  }
}
