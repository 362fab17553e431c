import { useCallback, useEffect, useId } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useEngine } from '../../store/hooks.ts'
import { jumpAsked } from '../../store/ui.ts'
import { Button } from '../../ui/Button.tsx'
import { PanelHead } from '../channel/index.ts'
import { MessagePane } from '../messages/index.ts'
import { openInChannel } from './open-hit.ts'
import { placeName } from './place-name.ts'
import { latestAround, openAround, pageAround } from './commands.ts'
import styles from './Search.module.css'

type Props = { readonly cid: Cid; readonly messageId: MessageId }

/** A message that was found, among its neighbours. */
export function ContextPanel({ cid, messageId }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const headingId = useId()
  const name = useAppSelector((state) => placeName(state, cid))
  return (
    <>
      <PanelHead id={headingId} title={t('context')} sub={name}>
        <Button size="small" onClick={() => dispatch(openInChannel({ cid, messageId }))}>
          {t('openChannel')}
        </Button>
      </PanelHead>
      <div className={styles['context']}>
        <Around key={cid} cid={cid} messageId={messageId} />
      </div>
    </>
  )
}

function Around({ cid, messageId }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const engine = useEngine()
  const attached = useAttachCount()
  const onAround = useCallback((around: MessageId) => void dispatch(openAround({ cid, around })), [dispatch, cid])
  useEffect(() => {
    if (attached < 0) return
    void dispatch(openAround({ cid, around: messageId }))
    dispatch(jumpAsked({ cid, messageId }))
  }, [dispatch, cid, messageId, attached])
  useEffect(
    () => () => {
      // Closing is a courtesy: a page that is going away may not be able to say so.
      engine.channels.close({ cid }).catch(() => undefined)
    },
    [engine, cid],
  )
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageAround({ cid, direction })),
    [dispatch, cid],
  )
  const onLatest = useCallback(() => void dispatch(latestAround({ cid })), [dispatch, cid])
  return (
    <MessagePane
      windowKey={`timeline:${cid}`}
      cid={cid}
      label={t('contextList')}
      opening={{ key: messageId, offset: OPENING_OFFSET_PX }}
      onPage={onPage}
      onLatest={onLatest}
      onAround={onAround}
      onRetry={() => onAround(messageId)}
    />
  )
}

/** The message stands this far below the top edge, so that one sees what came before. */
const OPENING_OFFSET_PX = 160
