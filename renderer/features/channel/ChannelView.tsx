import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { channelTitle } from '../sidebar/index.ts'
import { Composer } from '../composer/index.ts'
import { ConnectionBanner } from '../connection/index.ts'
import { MessageList } from '../messages/index.ts'
import { ChannelHeader } from './ChannelHeader.tsx'
import { useMarkRead } from './useMarkRead.ts'
import styles from './Channel.module.css'

type Props = {
  readonly cid: Cid
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
  /** Shown in the second half of a split window, a panel with its own landmark and no regions. */
  readonly beside?: boolean
}

/** A channel: header, banner, messages, composer. */
export function ChannelView({ cid, onBack, beside = false }: Props) {
  const t = useTexts('channel')
  const title = useAppSelector((state) => channelTitle(state, cid))
  const Sheet = beside ? 'div' : 'main'
  return (
    <Sheet className={styles['sheet']} aria-label={beside ? undefined : title === '' ? t('conversation') : title}>
      <ChannelHeader cid={cid} onBack={onBack} beside={beside} />
      {beside ? null : <ConnectionBanner />}
      <div
        className={styles['messages']}
        data-region={beside ? undefined : 'messages'}
        data-other-half={beside ? '' : undefined}
      >
        <MessageList cid={cid} />
      </div>
      <ComposerSlot cid={cid} beside={beside} />
      <ReadMarker cid={cid} beside={beside} />
    </Sheet>
  )
}

/** Renders nothing. A component of its own, because its state changes with every scroll and must not re-render the sheet. */
function ReadMarker({ cid, beside }: { readonly cid: Cid; readonly beside: boolean }) {
  // In a split window only the active half is marked read.
  useMarkRead(
    cid,
    useAppSelector(({ ui }) => (ui.inSplit === true) === beside),
  )
  return null
}

function ComposerSlot({ cid, beside }: { readonly cid: Cid; readonly beside: boolean }) {
  const known = useChannel(cid) !== undefined
  return (
    <div className={styles['composer']} data-region={beside ? undefined : 'composer'}>
      {known ? <Composer key={cid} cid={cid} /> : null}
    </div>
  )
}
