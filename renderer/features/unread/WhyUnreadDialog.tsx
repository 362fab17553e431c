import { useEffect, useState } from 'react'
import type { UnreadExplained } from '#shared/domain/unread.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../store/hooks.ts'
import { dialogClosed, placeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { channelTitle, markChannelRead } from '../sidebar/index.ts'
import { loadWhyUnread, readThread, recount } from './commands.ts'
import styles from './Unread.module.css'

type Props = { readonly cid: Cid; readonly parentId?: MessageId }

/** Why a channel or thread is unread, from the rows behind the count, with actions to correct it. */
export function WhyUnreadDialog({ cid, parentId }: Props) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const title = useAppSelector((state) => channelTitle(state, cid))
  const { why, again, note, isBusy } = useWhy(cid, parentId)
  const close = (): void => void dispatch(dialogClosed())
  const jump = (): void => {
    close()
    dispatch(placeOpened({ cid, parentId, unread: true }))
  }
  const read = (): void => {
    void (parentId === undefined ? dispatch(markChannelRead({ cid })) : dispatch(readThread({ cid, parentId })))
    close()
  }
  return (
    <Dialog
      title={t(why?.unread === 0 ? 'why.titleRead' : 'why.title', { name: title })}
      onClose={close}
      actions={
        <>
          {why === undefined || why.unread === 0 ? null : <Button onClick={read}>{t('why.read')}</Button>}
          {why === undefined || why.unread === 0 ? (
            <Button variant="primary" onClick={close}>
              {t('why.close')}
            </Button>
          ) : (
            <Button variant="primary" onClick={jump}>
              {t('why.jump')}
            </Button>
          )}
        </>
      }
    >
      {why === undefined ? <DialogText muted>{t('why.loading')}</DialogText> : <Explained why={why} cid={cid} />}
      <p className={styles['again']}>
        <Button size="small" icon="refresh" working={isBusy} onClick={again}>
          {t('why.recount')}
        </Button>
        <span role="status">{note}</span>
      </p>
    </Dialog>
  )
}

function useWhy(cid: Cid, parentId: MessageId | undefined) {
  const t = useTexts('unread')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const unread = useChannel(cid)?.unread
  const [why, setWhy] = useState<UnreadExplained>()
  const [recounted, setRecounted] = useState<Result<unknown, ErrorBody>>()
  const [isBusy, setBusy] = useState(false)
  const [round, setRound] = useState(0)
  // Loads again when the count changes.
  const version = `${round} ${unread ?? 0}`
  useEffect(() => {
    let live = version !== ''
    const ask = async (): Promise<void> => {
      const answer = await dispatch(loadWhyUnread({ cid, parentId }))
      if (live && answer.ok) setWhy(answer.value)
    }
    void ask()
    return () => {
      live = false
    }
  }, [dispatch, cid, parentId, version])
  const again = async (): Promise<void> => {
    setBusy(true)
    const answer = await dispatch(recount({ cid, parentId }))
    setBusy(false)
    setRecounted(answer)
    setRound((before) => before + 1)
  }
  const noteOf = (answer: Result<unknown, ErrorBody>): string =>
    answer.ok ? t('why.recounted') : t('why.failed', { reason: errorText(answer.error) })
  return { why, note: recounted && noteOf(recounted), isBusy, again: () => void again() }
}

const entriesOf = <Name extends string>(counts: Readonly<Partial<Record<Name, number>>>): readonly [Name, number][] =>
  (Object.entries(counts) as [Name, number][]).filter(([, count]) => count > 0)

function Explained({ why, cid }: { readonly why: UnreadExplained; readonly cid: Cid }) {
  const t = useTexts('unread')
  const reasons = entriesOf(why.reasons)
  const leftOut = entriesOf(why.leftOut)
  return (
    <div className={styles['why']}>
      <p className={styles['sum']}>{why.unread === 0 ? t('why.nothing') : t('why.count', { count: why.unread })}</p>
      {reasons.length + why.notHeld === 0 ? null : (
        <Part title={t('why.reasons')}>
          {reasons.map(([name, count]) => (
            <li key={name}>{t(`why.reason.${name}`, { count })}</li>
          ))}
          {why.notHeld > 0 ? <li>{t('why.notHeld', { count: why.notHeld })}</li> : null}
        </Part>
      )}
      {leftOut.length === 0 ? null : (
        <Part title={t('why.leftOut')}>
          {leftOut.map(([name, count]) => (
            <li key={name}>{t(`why.out.${name}`, { count })}</li>
          ))}
        </Part>
      )}
      <Part title={t('why.mark')}>
        <Marks why={why} />
      </Part>
      {why.threads.length === 0 ? null : (
        <Part title={t('why.threads')}>
          {why.threads.map((thread) => (
            <ThreadLine key={thread.parentId} cid={cid} {...thread} />
          ))}
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

function Marks({ why }: { readonly why: UnreadExplained }) {
  const t = useTexts('unread')
  const { full } = useFormats()
  const lines = [
    why.lastReadAt === undefined || why.lastReadAt <= 0
      ? t('why.never')
      : t('why.readTo', { time: full(why.lastReadAt) }),
    why.isLocalOnly ? t('why.isLocalOnly') : why.markedUnread ? t('why.byHand') : '',
    why.markWaits ? t('why.waits') : '',
    t(`why.basis.${why.basis}`),
    why.muted ? t('why.muted') : '',
    why.hidden ? t('why.hidden') : '',
    why.unread === 0 ? '' : why.inBadge > 0 ? t('why.inBadge', { count: why.inBadge }) : t('why.noBadge'),
  ]
  return lines.filter((line) => line !== '').map((line) => <li key={line}>{line}</li>)
}

type ThreadProps = { readonly cid: Cid; readonly parentId: MessageId; readonly unread: number }

function ThreadLine({ cid, parentId, unread }: ThreadProps) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const open = (): void => {
    dispatch(dialogClosed())
    dispatch(placeOpened({ cid, parentId }))
  }
  return (
    <li>
      <Button variant="link" onClick={open}>
        {t('why.thread', { count: unread })}
        <Icon name="arrow-right" size={14} />
      </Button>
    </li>
  )
}
