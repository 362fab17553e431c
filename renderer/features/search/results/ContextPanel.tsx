import { useCallback, useEffect, useId, useRef } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { jumpRequested } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { PanelHead } from '../../channel/index.ts'
import { MessagePane, type OpenAt } from '../../messages/index.ts'
import { openInChannel, closeContext, openContext, pageContext } from '../commands.ts'
import { placeName } from '../question.ts'
import styles from '../Search.module.css'

type Props = { readonly cid: Cid; readonly messageId: MessageId }

/** A result with the messages around it. */
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
  const onOpen = useCallback((openAt: OpenAt) => dispatch(openContext({ cid, ...openAt })), [dispatch, cid])
  // Best effort: a page that is closing may not be able to send it.
  const onClose = useCallback(() => void dispatch(closeContext({ cid })), [dispatch, cid])
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageContext({ cid, direction })),
    [dispatch, cid],
  )
  const shown = useRef(messageId)
  useEffect(() => {
    if (shown.current === messageId) return
    shown.current = messageId
    dispatch(jumpRequested({ cid, messageId }))
  }, [dispatch, cid, messageId])
  return (
    <MessagePane
      windowKey={`timeline:${cid}`}
      cid={cid}
      label={t('contextList')}
      first={messageId}
      onOpen={onOpen}
      onClose={onClose}
      onPage={onPage}
    />
  )
}
