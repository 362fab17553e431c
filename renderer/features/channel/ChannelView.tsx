import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { channelTitle } from '../channels/index.ts'
import { Composer } from '../composer/index.ts'
import { ConnectionBanner } from '../connection/index.ts'
import { MessageList } from '../messages/index.ts'
import { ChannelHeader } from './ChannelHeader.tsx'
import { useMarkRead } from './useMarkRead.ts'
import styles from './Channel.module.css'

type Props = {
  readonly cid: Cid
  /** Below 640 px: the way back to the list. */
  readonly onBack?: (() => void) | undefined
}

/** The main sheet: header, banner, messages, composer. */
export function ChannelView({ cid, onBack }: Props) {
  const t = useTexts('channel')
  const title = useAppSelector((state) => channelTitle(state, cid))
  return (
    <main className={styles['sheet']} aria-label={title === '' ? t('conversation') : title}>
      <ChannelHeader cid={cid} onBack={onBack} />
      <ConnectionBanner />
      <div className={styles['messages']} data-region="messages">
        <MessageList cid={cid} />
      </div>
      <ComposerPlace cid={cid} />
      <ReadMarker cid={cid} />
    </main>
  )
}

/** Draws nothing: what it looks at changes with every scroll, and the sheet need not be drawn again for that. */
function ReadMarker({ cid }: { readonly cid: Cid }) {
  useMarkRead(cid)
  return null
}

function ComposerPlace({ cid }: { readonly cid: Cid }) {
  const known = useChannel(cid) !== undefined
  return (
    <div className={styles['composer']} data-region="composer">
      {known ? <Composer key={cid} cid={cid} /> : null}
    </div>
  )
}
