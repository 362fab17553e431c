import { useEffect, useId, useState } from 'react'
import { asMessageId, type Cid } from '#shared/lib/brand.ts'
import { mayPin } from '#shared/rules/channels/capabilities.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useLanguageMark } from '../../lib/text/language-mark.ts'
import { useMinute, useDelayed } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useChannel, useUser, useWindow } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { jumpRequested } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty, Skeleton } from '../../ui/View/Empty.tsx'
import { FindField } from '../../ui/Field/TextField.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { MessageTime } from '../../ui/Dates/MessageTime.tsx'
import { fieldsOf, momentOf } from '../../lib/time/moments.ts'
import { Segments } from '../../ui/Choice/Choice.tsx'
import { DateField, TimeField } from '../../ui/Dates/DateField.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { EmojiText } from '../emoji/index.ts'
import { Unanswered } from '../connection/index.ts'
import { useLineOf } from '../attachments/index.ts'
import { useMessageCommands } from '../messages/index.ts'
import { Portrait, useName } from '../people/index.ts'
import { closePinned, openPinned } from './commands.ts'
import { PanelHead, useBackToDetails } from './PanelHead.tsx'
import styles from './Channel.module.css'
import info from './Info.module.css'

const NONE: readonly string[] = []
/** The search field is shown from this number of messages on. */
const MIN_FOR_SEARCH = 4

/** The pinned messages of a channel, newest pin first. */
export function PinnedPanel({ cid }: { readonly cid: Cid }) {
  const t = useTexts('channel')
  const dispatch = useAppDispatch()
  const headingId = useId()
  const details = useTexts('details')
  const back = useBackToDetails(cid)
  const window = useWindow(`pinned:${cid}`)
  const attachCount = useAttachCount()
  useEffect(() => {
    if (attachCount > 0) void dispatch(openPinned({ cid }))
  }, [dispatch, cid, attachCount])
  useEffect(() => () => void dispatch(closePinned({ cid })), [dispatch, cid])
  const empty = window?.ids.length === 0
  const [query, setQuery] = useState('')
  const found = useFound(window?.ids ?? NONE, query)
  const waiting = useDelayed(window === undefined || (empty && window.loading === 'initial'), 150)
  return (
    <>
      <PanelHead id={headingId} title={details('rows.pinned')} back={back} />
      {(window?.ids.length ?? 0) < MIN_FOR_SEARCH ? null : (
        <div className={info['find']}>
          <FindField label={details('mediaTab.findPinned')} list="[data-region]" value={query} onChange={setQuery} />
        </div>
      )}
      <div className={styles['panelBody']}>
        <ul aria-labelledby={headingId}>
          {found.map((id) => (
            <PinnedItem key={id} id={id} cid={cid} />
          ))}
        </ul>
        {found.length === 0 && query.trim() !== '' ? (
          <p className={info['note']}>{details('mediaTab.nothing', { query: query.trim() })}</p>
        ) : null}
        {waiting ? <Skeleton width="70%" height={14} /> : null}
        {empty && window.loading === 'none' ? (
          window.unanswered === true || window.error !== undefined ? (
            <Unanswered part="messages" error={window.error} />
          ) : (
            <Empty scene="pin" title={t('pinned.none')}>
              {t('pinned.noneText')}
            </Empty>
          )
        ) : null}
      </div>
    </>
  )
}

/** Messages whose text, author or file names contain the query, ignoring diacritics. All are loaded, so it works offline. */
function useFound(ids: readonly string[], query: string): readonly string[] {
  const wanted = fold(query.trim())
  return useAppSelector(({ entities }) => {
    if (wanted === '') return ids
    return ids.filter((id) => {
      const message = entities.messages[id]
      const author = entities.users[message?.userId ?? '']?.name ?? ''
      const files = message?.attachments.map(({ title = '' }) => title) ?? []
      return fold([message?.text ?? '', author, ...files].join(' ')).includes(wanted)
    })
  }, sameIds)
}

const sameIds = (a: readonly string[], b: readonly string[]): boolean => a.join(' ') === b.join(' ')

function PinnedItem({ id, cid }: { readonly id: string; readonly cid: Cid }) {
  const t = useTexts('channel')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const message = useAppSelector((state) => selectMessage(state, id))
  const author = useName(message?.userId ?? '')
  const marked = useLanguageMark<HTMLParagraphElement>(message?.text ?? '', useUser(message?.userId)?.language)
  const lineOf = useLineOf()
  const now = useMinute()
  const pinner = useUser(message?.pinnedBy)
  const { endPin, unpin } = useMessageCommands()
  const [isEnding, setEnding] = useState(false)
  const closeEnd = (): void => setEnding(false)
  const channel = useChannel(cid)
  if (message === undefined) return null
  return (
    <li className={styles['pinnedItem']}>
      <div className={styles['pinnedTop']}>
        <Portrait userId={message.userId} size={24} />
        <span className={styles['personName']}>{author}</span>
        <MessageTime message={message} format={(at) => formats.listTime(at, now)} />
      </div>
      <p ref={marked} className={styles['pinnedText']} dir="auto">
        <EmojiText text={lineOf(message)} />
      </p>
      {pinner === undefined ? null : (
        <p className={styles['pinnedBy']}>
          <Icon name="pin" size={13} />
          {t('pinned.by', { name: pinner.name })}
        </p>
      )}
      {message.pinExpires === undefined ? null : (
        <p className={styles['pinnedBy']}>
          <Icon name="hourglass" size={13} />
          {t('pinned.until', { time: formats.dayAndTime(message.pinExpires) })}
        </p>
      )}
      {isEnding ? (
        <PinEndDialog end={message.pinExpires} onEnd={(until) => void endPin(message.id, until)} onClose={closeEnd} />
      ) : null}
      <div className={styles['pinnedDo']}>
        <Button size="small" onClick={() => dispatch(jumpRequested({ cid, messageId: asMessageId(id) }))}>
          {t('pinned.show')}
        </Button>
        {channel !== undefined && mayPin(channel) ? (
          <Button size="small" variant="quiet" aria-haspopup="dialog" onClick={() => setEnding(true)}>
            {t(message.pinExpires === undefined ? 'pinned.setEnd' : 'pinned.changeEnd')}
          </Button>
        ) : null}
        {channel !== undefined && mayPin(channel) ? (
          <Button size="small" variant="quiet" onClick={() => void unpin(asMessageId(id))}>
            {t('pinned.unpin')}
          </Button>
        ) : null}
      </div>
    </li>
  )
}

type Props = {
  /** When it ends now. */
  readonly end: number | undefined
  /** Null: it does not end. */
  readonly onEnd: (until: number | null) => void
  readonly onClose: () => void
}

const CHOICES = ['1d', '7d', '30d', 'never', 'until'] as const
type Choice = (typeof CHOICES)[number]

const DAY_MS = 24 * 3_600_000
const DAYS = { '1d': 1, '7d': 7, '30d': 30 } as const

/** Chooses when the server unpins a message. */
function PinEndDialog({ end, onEnd, onClose }: Props) {
  const t = useTexts('channel')
  const common = useTexts('common')
  const formats = useFormats()
  const [triedAt, setTriedAt] = useState(0)
  // The minute may be nearly over: an end that had passed when it was to be saved is not in the future either.
  const now = Math.max(useMinute(), triedAt)
  const [choice, setChoice] = useState<Choice>(end === undefined ? '7d' : 'until')
  const [{ date, time }, setMoment] = useState(() => fieldsOf(end ?? tomorrowMorning(now)))
  const untilAt = (at: number): number | null | undefined =>
    choice === 'never' ? null : choice === 'until' ? momentOf(date, time) : at + DAYS[choice] * DAY_MS
  const until = untilAt(now)
  const isReady = until === null || (until !== undefined && until > now)
  return (
    <Dialog
      width={520}
      title={t('pinEnd.title')}
      onClose={onClose}
      onSubmit={() => {
        const at = Date.now()
        const chosen = untilAt(at)
        setTriedAt(at)
        if (chosen === undefined || (chosen !== null && chosen <= at)) return
        onEnd(chosen)
        onClose()
      }}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" aria-disabled={!isReady || undefined}>
            {t('pinEnd.save')}
          </Button>
        </>
      }
    >
      <Segments
        block
        label={t('pinEnd.title')}
        value={choice}
        choices={CHOICES.map((value) => ({ value, label: t(`pinEnd.choices.${value}`) }))}
        onChange={setChoice}
      />
      {choice === 'until' ? (
        <div className={styles['moment']}>
          <DateField label={t('pinEnd.day')} value={date} onChange={(day) => setMoment({ date: day, time })} />
          <TimeField label={t('pinEnd.time')} value={time} onChange={(at) => setMoment({ date, time: at })} />
        </div>
      ) : null}
      <div className={styles['effect']} aria-live="polite">
        <DialogText muted>
          {until === null
            ? t('pinEnd.endless')
            : until === undefined
              ? t('pinEnd.unknown')
              : until <= now
                ? t('pinEnd.past')
                : t('pinEnd.ends', { time: formats.dayAndTime(until) })}
        </DialogText>
      </div>
    </Dialog>
  )
}
