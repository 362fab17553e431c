import type { Cid } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { channelTitle } from '../channels/index.ts'
import { Composer } from '../composer/index.ts'
import { ConnectionBanner } from '../connection/index.ts'
import { MessageList } from '../messages/index.ts'
import { ChannelHeader } from './ChannelHeader.tsx'
import { FrozenBanner } from './FrozenBanner.tsx'
import { openChannel } from './commands.ts'
import { useChannelWindow } from './useChannelWindow.ts'
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
  const { window, refused } = useChannelWindow(cid)
  useMarkRead(cid)
  const nothingHeld = (window?.ids.length ?? 0) === 0
  const failure = nothingHeld ? (window?.error === undefined ? refused : { code: window.error }) : undefined
  return (
    <main className={styles['sheet']} aria-label={title === '' ? t('conversation') : title}>
      <ChannelHeader cid={cid} onBack={onBack} />
      <ConnectionBanner />
      <FrozenBanner cid={cid} />
      {failure === undefined ? (
        <div className={styles['messages']} data-region="messages">
          <MessageList key={cid} cid={cid} />
        </div>
      ) : (
        <OpenFailed cid={cid} code={failure.code} />
      )}
      <ComposerPlace cid={cid} />
    </main>
  )
}

function ComposerPlace({ cid }: { readonly cid: Cid }) {
  const known = useChannel(cid) !== undefined
  return (
    <div className={styles['composer']} data-region="composer">
      {known ? <Composer key={cid} cid={cid} /> : null}
    </div>
  )
}

function OpenFailed({ cid, code }: { readonly cid: Cid; readonly code: string }) {
  const t = useTexts('channel')
  const common = useTexts('common')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  return (
    <div className={styles['messages']} data-region="messages">
      <Empty
        scene="offline"
        title={t('openFailed')}
        action={
          <Button variant="primary" onClick={() => void dispatch(openChannel({ cid }))}>
            {common('tryAgain')}
          </Button>
        }
      >
        {errorText({ code })}
      </Empty>
    </div>
  )
}
