import { useState, type ReactNode } from 'react'
import { NEW_POLL, type Draft } from '#shared/domain/draft.ts'
import type { OutboxItem } from '#shared/domain/intent.ts'
import type { Reminder } from '#shared/domain/message.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel, useConnection } from '../../store/hooks.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../ui/Popover/Popover.tsx'
import { ScheduleDialog } from '../composer/index.ts'
import { reschedule } from './drafts/commands.ts'
import { EmojiText } from '../emoji/index.ts'
import { useOutboxText } from '../outbox/index.ts'
import { Portrait } from '../people/index.ts'
import { useAbout, useWhen } from '../reminders/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import type { LaterItem, Scheduled } from './items.ts'
import styles from './Later.module.css'

/** What the buttons and keys of a row do; absent: the row has no such button. */
type RowActions = {
  readonly open: () => void
  readonly done?: () => void
  readonly snooze?: (anchor: Element) => void
  readonly sendNow?: () => void
  readonly edit?: () => void
  readonly changeTime?: () => void
  readonly retry?: () => void
  readonly remove: () => void
  readonly select: () => void
}

type RowProps = {
  readonly now: number
  /** It waits for the user. */
  readonly needs: boolean
  /** Its menu is open, so its buttons stay visible. */
  readonly held: boolean
  readonly selected: boolean
  readonly rowProps: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly acts: RowActions
}

/** One thing that was put aside. */
export function LaterRow({ item, ...props }: RowProps & { readonly item: LaterItem }) {
  switch (item.kind) {
    case 'saved':
    case 'reminders':
    case 'done':
      return <ReminderRow id={item.id} kind={item.kind} reminder={item.reminder} {...props} />
    case 'drafts':
      return <DraftRow id={item.id} draft={item.draft} {...props} />
    case 'scheduled':
      return <ScheduledRow id={item.id} item={item.item} {...props} />
    case 'outbox':
      return <OutboxRow id={item.id} item={item.item} {...props} />
  }
}

type FrameProps = RowProps & {
  readonly id: string
  readonly icon: IconName
  /** The kind, as text. */
  readonly kind: string
  readonly text: string
  readonly meta: ReactNode
  /** The same as text, for the row's name. */
  readonly metaText: string
  readonly main?: string
  readonly small?: string
  readonly tone?: 'danger' | 'due'
  readonly children: ReactNode
}

/** A square with the kind's icon, text, where, and when; its buttons take the place of the time. */
function Frame({
  id,
  icon,
  kind,
  text,
  meta,
  metaText,
  main,
  small,
  tone,
  held,
  selected,
  acts,
  rowProps,
  ...row
}: FrameProps) {
  const t = useTexts('later')
  const when = [main, small].filter((part) => part !== undefined && part !== '').join(', ')
  return (
    <li
      className={cx(styles['row'], held && styles['held'], selected && styles['selected'], tone && styles[tone])}
      data-later={id}
    >
      {selected ? (
        <button
          type="button"
          className={styles['square']}
          tabIndex={rowProps.tabIndex}
          aria-label={t('act.deselect')}
          onClick={acts.select}
        >
          <Icon name="check" size={17} />
        </button>
      ) : acts.done === undefined ? (
        <span className={styles['square']}>
          <Icon name={icon} size={17} />
        </span>
      ) : (
        <button
          type="button"
          className={cx(styles['square'], styles['tick'])}
          tabIndex={rowProps.tabIndex}
          aria-label={t(icon === 'check' ? 'act.again' : 'act.done')}
          onClick={acts.done}
        >
          <Icon name={icon} size={17} />
          <Icon name="check" size={17} />
        </button>
      )}
      <button
        type="button"
        className={styles['open']}
        aria-label={[selected ? t('isSelected') : '', kind, when, text, metaText]
          .filter((part) => part !== '')
          .join(', ')}
        onClickCapture={(event) => {
          if (!event.ctrlKey && !event.metaKey) return
          event.stopPropagation()
          acts.select()
        }}
        {...rowProps}
        onClick={acts.open}
      >
        <span className={styles['body']}>
          <span className={cx(styles['text'], 'ellipsis')} dir="auto">
            <EmojiText text={text} />
          </span>
          <span className={styles['meta']}>{meta}</span>
        </span>
        <span className={styles['when']}>
          {main}
          {small === undefined || small === '' ? null : <small>{small}</small>}
        </span>
      </button>
      <span className={styles['actions']}>{row.children}</span>
    </li>
  )
}

type ActProps = {
  readonly icon: IconName
  readonly label: string
  readonly tabIndex: 0 | -1
  readonly run?: () => void
}

function Act({ icon, label, tabIndex, run }: ActProps) {
  return run === undefined ? null : (
    <IconButton size="small" icon={icon} label={label} tabIndex={tabIndex} onClick={run} />
  )
}

type OfReminder = RowProps & {
  readonly id: string
  readonly kind: 'saved' | 'reminders' | 'done'
  readonly reminder: Reminder
}

function ReminderRow({ kind, reminder, ...props }: OfReminder) {
  const t = useTexts('later')
  const { acts, now, held, needs, rowProps } = props
  const about = useAbout(reminder)
  const moments = useMoments(reminder, { now, needs })
  const { offline } = useConnection()
  const tab = rowProps.tabIndex
  return (
    <Frame
      {...props}
      {...moments}
      icon={kind === 'done' ? 'check' : kind === 'saved' ? 'bookmark' : 'alarm'}
      kind={t(`kindOf.${kind}`)}
      text={about.text}
      tone={needs ? 'due' : undefined}
      metaText={about.author === '' ? about.place : t('from', { author: about.author, place: about.place })}
      meta={
        <>
          {about.authorId === undefined ? null : <Portrait userId={about.authorId} size={16} />}
          <span className="ellipsis">
            {about.author === ''
              ? about.place
              : richText((values) => t('in', values), { author: about.author, place: about.place })}
          </span>
          {reminder.pending && offline ? (
            <Tooltip text={t('pending')} side="above">
              <span className={styles['pending']}>
                <Icon name="cloud-off" size={14} />
              </span>
            </Tooltip>
          ) : null}
        </>
      }
    >
      {acts.snooze === undefined ? null : (
        <IconButton
          size="small"
          icon="alarm"
          label={t('act.snooze')}
          tabIndex={tab}
          aria-haspopup="menu"
          aria-expanded={held}
          onClick={(event) => acts.snooze?.(event.currentTarget)}
        />
      )}
      <Act
        icon="pencil"
        label={t(kind === 'reminders' ? 'act.changeTime' : 'act.setTime')}
        tabIndex={tab}
        run={acts.changeTime}
      />
      <Act icon="trash" label={t('act.removeReminder')} tabIndex={tab} run={acts.remove} />
    </Frame>
  )
}

/** The two lines at the end of the row of a reminder. What is due is said relative to now first. */
function useMoments({ remindAt, doneAt, createdAt }: Reminder, { now, needs }: Pick<RowProps, 'now' | 'needs'>) {
  const t = useTexts('later')
  const when = useWhen()
  const { listTime } = useFormats()
  if (doneAt !== undefined) return { main: t('done'), small: when.absolute(doneAt, now) }
  if (remindAt === undefined) return { main: t('saved'), small: listTime(createdAt, now) }
  const [absolute, relative] = [when.absolute(remindAt, now), when.relative(remindAt, now)]
  if (relative === undefined) return { main: absolute }
  return needs ? { main: relative, small: absolute } : { main: absolute, small: relative }
}

/** `#plans`, or the people of a direct message. */
function usePlace(cid: string): string {
  const t = useTexts('later')
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  if (title === '') return t('unknownPlace')
  return (channel?.directUserIds.length ?? 0) > 0 ? title : `#${title}`
}

/** The longest text of a row. */
const TEXT_LENGTH = 240

function DraftRow({ draft, ...props }: RowProps & { readonly id: string; readonly draft: Draft }) {
  const t = useTexts('later')
  const { listTime } = useFormats()
  const now = useMinute()
  const place = usePlace(draft.cid)
  const poll = draft.polls?.[NEW_POLL]
  const files = draft.uploads.length
  const text =
    excerpt(draft.edit?.text ?? draft.text, TEXT_LENGTH) ||
    excerpt(poll?.name ?? '', TEXT_LENGTH) ||
    (files > 0 ? t('files', { count: files }) : t('noText'))
  const where = draft.parentId === undefined ? 'draftIn' : 'draftInThread'
  return (
    <Frame
      {...props}
      icon={poll === undefined ? 'draft' : 'poll'}
      kind={t('kindOf.drafts')}
      text={text}
      meta={
        <>
          <span className="ellipsis">{richText((values) => t(where, values), { place })}</span>
          {draft.edit === undefined ? null : <span className={styles['tag']}>{t('editing')}</span>}
          {files > 0 ? <span className={styles['tag']}>{t('files', { count: files })}</span> : null}
        </>
      }
      metaText={place}
      main={t('edited')}
      small={listTime(draft.updatedAt, now)}
    >
      <Act
        icon="arrow-right"
        label={t('act.continueIn', { place })}
        tabIndex={props.rowProps.tabIndex}
        run={props.acts.open}
      />
      <Act
        icon="trash"
        label={t('act.discardIn', { place })}
        tabIndex={props.rowProps.tabIndex}
        run={props.acts.remove}
      />
    </Frame>
  )
}

function ScheduledRow({ item, ...props }: RowProps & { readonly id: string; readonly item: Scheduled }) {
  const t = useTexts('later')
  const dispatch = useAppDispatch()
  const when = useWhen()
  const place = usePlace(item.cid)
  const [choosing, setChoosing] = useState(false)
  const { acts, now, rowProps } = props
  const tab = rowProps.tabIndex
  return (
    <>
      <Frame
        {...props}
        icon="calendar"
        kind={t('kindOf.scheduled')}
        text={item.summary || t('noText')}
        meta={
          <>
            <span className="ellipsis">{richText((values) => t('scheduledTo', values), { place })}</span>
            {item.fileCount > 0 ? <span className={styles['tag']}>{t('files', { count: item.fileCount })}</span> : null}
          </>
        }
        metaText={t('to', { place })}
        main={when.absolute(item.sendAt, now)}
        small={when.relative(item.sendAt, now)}
      >
        <Act icon="arrow-up" label={t('act.sendNow')} tabIndex={tab} run={acts.sendNow} />
        <Act icon="clock" label={t('act.changeTime')} tabIndex={tab} run={() => setChoosing(true)} />
        <Act icon="pencil" label={t('act.edit')} tabIndex={tab} run={acts.edit} />
        <Act icon="trash" label={t('act.delete')} tabIndex={tab} run={acts.remove} />
      </Frame>
      {choosing ? (
        <ScheduleDialog
          start={item.sendAt}
          onChoose={(at) => void dispatch(reschedule({ id: item.id, at }))}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </>
  )
}

function OutboxRow({ item, ...props }: RowProps & { readonly id: string; readonly item: OutboxItem }) {
  const t = useTexts('later')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const { listTime } = useFormats()
  const now = useMinute()
  const { what, where } = useOutboxText(item)
  const parked = item.state === 'parked'
  const reason = item.reason === undefined ? where : errorText(item.reason)
  const { acts, rowProps } = props
  const tab = rowProps.tabIndex
  return (
    <Frame
      {...props}
      icon="outbox"
      kind={t('kindOf.outbox')}
      text={what}
      tone={parked ? 'danger' : undefined}
      meta={<span className={parked ? styles['reason'] : 'ellipsis'}>{parked ? t('notSent', { reason }) : where}</span>}
      metaText={parked ? t('notSent', { reason }) : where}
      main={parked ? '' : t(offline ? 'waiting' : 'sending')}
      small={parked ? '' : listTime(item.createdAt, now)}
    >
      <Act icon="refresh" label={t('act.retry')} tabIndex={tab} run={acts.retry} />
      <Act icon="pencil" label={t('act.edit')} tabIndex={tab} run={acts.edit} />
      {item.state === 'inflight' ? null : <Act icon="trash" label={t('act.delete')} tabIndex={tab} run={acts.remove} />}
    </Frame>
  )
}
