import { useEffect, useId } from 'react'
import { useTexts, useErrorText, useFormats } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import {
  useAppDispatch,
  useAppSelector,
  useAttachCount,
  useConnection,
  useEngine,
  useChannel,
} from '../../store/hooks.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { PanelHead } from '../channel/index.ts'
import { type OutboxItem, NO_CHANNEL, type IntentKind } from '#shared/domain/intent.ts'
import { isPaused, selectParked, selectWaiting } from '../../store/composers/unsent.ts'
import styles from './Outbox.module.css'
import { useMinute } from '../../lib/time/clocks.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { command } from '../../store/command.ts'
import { foreseenRefused } from '../../store/entities.ts'
import { takeBackItem } from '../../store/composers/unsent.ts'
import { channelTitle } from '../sidebar/index.ts'
import { EmojiText } from '../emoji/index.ts'

/** Pending items, and below them those that need the user's attention. */
export function OutboxPanel() {
  const t = useTexts('outbox')
  const headingId = useId()
  const waiting = useAppSelector(selectWaiting)
  const parked = useAppSelector(selectParked)
  const { offline } = useConnection()
  useOutboxWindow()
  const count = waiting.length + parked.length
  return (
    <>
      <PanelHead id={headingId} title={t('title')} sub={count === 0 ? undefined : t('summary', { count })}>
        {count === 0 ? null : <TryAll parked={parked} />}
      </PanelHead>
      <div className={styles['body']} data-outbox={count}>
        {count === 0 ? (
          <Empty scene="outbox" title={t('empty')}>
            {t('emptyText')}
          </Empty>
        ) : null}
        <Group title={offline ? t('waitingForConnection') : t('onItsWay')} items={waiting} />
        <Group title={t('help')} items={parked} needsHelp />
      </div>
      <p className={styles['note']}>{t('order')}</p>
    </>
  )
}

type GroupProps = { readonly title: string; readonly items: readonly OutboxItem[]; readonly needsHelp?: boolean }

function Group({ title, items, needsHelp = false }: GroupProps) {
  const id = useId()
  if (items.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={cx(styles['heading'], needsHelp && styles['help'])}>
        {title} <span className={styles['count']}>{items.length}</span>
      </h3>
      <ul>
        {items.map((item) => (
          <OutboxRow key={item.id} item={item} />
        ))}
      </ul>
    </section>
  )
}

/** Reconnects at once and retries every retryable item. */
function TryAll({ parked }: { readonly parked: readonly OutboxItem[] }) {
  const t = useTexts('outbox')
  const dispatch = useAppDispatch()
  return (
    <IconButton
      icon="refresh"
      label={t('tryAll')}
      onClick={() => {
        void dispatch(tryNow())
        for (const { id, retryable } of parked) if (retryable) void dispatch(retryItem({ id }))
      }}
    />
  )
}

/** Keeps the outbox window of the engine open while its items are on screen. */
export function useOutboxWindow(): void {
  const engine = useEngine()
  const attachCount = useAttachCount()
  useEffect(() => {
    if (attachCount === 0) return undefined
    engine.outbox.open().catch((error: unknown) => console.debug('outbox not opened', error))
    return () => {
      engine.outbox.close().catch((error: unknown) => console.debug('outbox not closed', error))
    }
  }, [engine, attachCount])
}

const GLYPHS: Readonly<Record<IntentKind, IconName>> = {
  'send-message': 'chat',
  'edit-message': 'pencil',
  'delete-message': 'trash',
  'send-reaction': 'smile',
  'delete-reaction': 'smile',
  'create-draft': 'draft',
  'delete-draft': 'draft',
  'mark-read': 'check-double',
  'pin-message': 'pin',
  'cast-vote': 'poll',
  'remove-vote': 'poll',
  'set-reminder': 'alarm',
  'delete-reminder': 'alarm',
  'block-person': 'ban',
  'unblock-person': 'ban',
  moderate: 'shield',
  upload: 'paperclip',
}

const glyphOf = ({ content, kind }: OutboxItem): IconName =>
  content === undefined ? GLYPHS[kind] : content === 'poll' ? 'poll' : 'map-pin'

/** One unsent item: content, place, time, error and actions. */
function OutboxRow({ item }: { readonly item: OutboxItem }) {
  const errorText = useErrorText()
  const paused = isPaused(item)
  const parked = item.state === 'parked' && !paused
  const { what, where } = useOutboxText(item)
  const glyph = parked
    ? 'alert-circle'
    : paused
      ? 'pause'
      : item.fileCount > 0 && item.summary === ''
        ? 'image'
        : glyphOf(item)
  return (
    <li className={cx(styles['row'], parked && styles['parked'])} data-outbox-item={item.id}>
      <span className={styles['glyph']}>
        <Icon name={glyph} size={18} />
      </span>
      <div>
        <div className={cx(styles['what'], 'ellipsis')}>
          <EmojiText text={what} />
        </div>
        <div className={styles['where']}>{where}</div>
        {parked && item.reason !== undefined ? <p className={styles['reason']}>{errorText(item.reason)}</p> : null}
        {paused && item.reason !== undefined ? <p className={styles['where']}>{errorText(item.reason)}</p> : null}
        <Actions item={item} what={what} />
      </div>
    </li>
  )
}

/** What an item is, and where it goes. */
export function useOutboxText(item: OutboxItem): { readonly what: string; readonly where: string } {
  return { what: useWhat(item), where: useWhere(item) }
}

function useWhat({ summary, fileCount, kind, content }: OutboxItem): string {
  const t = useTexts('outbox')
  if (summary !== '') return summary
  return fileCount > 0 ? t('files', { count: fileCount }) : t(content ?? kind)
}

function useWhere({ cid, kind, content, createdAt }: OutboxItem): string {
  const t = useTexts('outbox')
  const { listTime } = useFormats()
  const now = useMinute()
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const direct = (channel?.directUserIds.length ?? 0) > 0
  if (cid === NO_CHANNEL) return t('whereAccount', { kind: t(kind), time: listTime(createdAt, now) })
  const place = title === '' ? t('unknownPlace') : direct ? title : `#${title}`
  return t('where', { kind: t(content ?? kind), place, time: listTime(createdAt, now) })
}

function Actions({ item, what }: { readonly item: OutboxItem; readonly what: string }) {
  const t = useTexts('outbox')
  const dispatch = useAppDispatch()
  const { id, kind, retryable } = item
  const paused = isPaused(item)
  const parked = item.state === 'parked' && !paused
  const pausing =
    kind === 'upload' && !paused && !parked ? (
      <Button size="small" aria-label={t('pauseItem', { what })} onClick={() => void dispatch(pauseItem({ id }))}>
        {t('pause')}
      </Button>
    ) : null
  // Nothing else in flight can be changed.
  if (item.state === 'inflight') return pausing === null ? null : <div className={styles['actions']}>{pausing}</div>
  return (
    <div className={styles['actions']}>
      {pausing}
      {paused ? (
        <Button size="small" aria-label={t('resumeItem', { what })} onClick={() => void dispatch(retryItem({ id }))}>
          {t('resume')}
        </Button>
      ) : null}
      {parked && retryable ? (
        <Button size="small" aria-label={t('retryItem', { what })} onClick={() => void dispatch(retryItem({ id }))}>
          {t('retry')}
        </Button>
      ) : null}
      {kind === 'send-message' ? (
        <Button size="small" aria-label={t('editItem', { what })} onClick={() => void dispatch(takeBackItem({ id }))}>
          {t('edit')}
        </Button>
      ) : null}
      <Button
        size="small"
        variant="quiet"
        aria-label={t(parked ? 'deleteItem' : 'removeItem', { what })}
        onClick={() => void dispatch(discardItem({ id }))}
      >
        {t(parked ? 'delete' : 'remove')}
      </Button>
    </div>
  )
}

type Item = { readonly id: string }

export const retryItem = command('outbox/retried', ({ id }: Item, engine) => engine.outbox.retry({ id }))
const discard = command('outbox/discarded', ({ id }: Item, engine) => engine.outbox.discard({ id }))
/** A message that is discarded before main has shown it is in no list of main that would say so. */
export const discardItem =
  (item: Item): ReturnType<typeof discard> =>
  async (dispatch) => {
    const done = await dispatch(discard(item))
    if (done.ok) dispatch(foreseenRefused(item))
    return done
  }
const pauseItem = command('outbox/paused', ({ id }: Item, engine) => engine.outbox.pause({ id }))
const tryNow = command('outbox/triedNow', (_input: void, engine) => engine.session.reconnect())
