import { useEffect, useState } from 'react'
import type { OpenPoll } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { channelTitle } from '../sidebar/index.ts'
import { useName } from '../people/index.ts'
import { goToPoll, readUnvoted } from './commands.ts'
import styles from './Dialogs.module.css'

/** Open polls without the viewer's vote, across channels; a click jumps to the message. */
export function OpenPollsDialog() {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [polls, setPolls] = useState<readonly OpenPoll[]>()
  const [failure, setFailure] = useState<ErrorBody>()
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const answer = await dispatch(readUnvoted())
      if (!live) return
      if (answer.ok) setPolls(answer.value)
      else setFailure(answer.error)
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch])
  const { containerProps, itemProps } = useRoving({ ids: polls?.map(({ messageId }) => messageId) ?? [] })
  const { ref, ...listeners } = containerProps
  return (
    <Dialog title={t('unvoted.title')} width={520} onClose={() => dispatch(dialogClosed())}>
      {failure === undefined ? null : (
        <p className={styles['failure']} role="alert">
          {errorText(failure)}
        </p>
      )}
      {polls?.length === 0 ? <p className={styles['note']}>{t('unvoted.none')}</p> : null}
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['list']}
        aria-label={t('unvoted.title')}
        {...listeners}
      >
        {polls?.map((poll) => (
          <Row key={poll.messageId} poll={poll} item={itemProps(poll.messageId)} />
        ))}
      </ul>
    </Dialog>
  )
}

type RowProps = {
  readonly poll: OpenPoll
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
}

function Row({ poll, item }: RowProps) {
  const t = useTexts('polls')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const place = useAppSelector((state) => channelTitle(state, poll.cid))
  const by = useName(poll.createdBy)
  return (
    <li>
      <button type="button" {...item} className={styles['row']} onClick={() => dispatch(goToPoll(poll))}>
        <Icon name="poll" size={18} />
        <span className={styles['text']}>
          <b dir="auto">{shownText(poll.name)}</b>
          <span className={styles['note']}>
            {t('unvoted.where', { place, name: by, when: formats.listTime(poll.createdAt, now) })}
          </span>
        </span>
        <span className={styles['note']}>{t('votes', { count: poll.voteCount })}</span>
      </button>
    </li>
  )
}
