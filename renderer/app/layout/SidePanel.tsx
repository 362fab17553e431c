import { channelTitle } from '../../features/sidebar/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useReturnFocus } from '../../lib/page/focus.ts'
import type { PanelView } from '../../registry/feature.ts'
import { useRegistry } from '../../registry/registry.ts'
import { useAppSelector } from '../../store/hooks.ts'
import type { Panel, Panels } from '../../store/window/kinds.ts'
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
      <Content panel={panel} />
    </aside>
  )
}

function Content({ panel: { kind, ...props } }: { readonly panel: Panel }) {
  const { component: View, keyOf = JSON.stringify } = useRegistry().panels[kind] as PanelView<keyof Panels>
  return (
    <Region where={`panel ${kind}`} resetKey={`${kind} ${keyOf(props)}`}>
      <View {...props} />
    </Region>
  )
}
