import { NO_CHANNEL, type IntentKind, type OutboxItem } from '#shared/domain/outbox.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import { channelTitle } from '../sidebar/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { discardItem, retryItem, takeBackItem } from './commands.ts'
import styles from './Outbox.module.css'

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
  upload: 'paperclip',
}

const glyphOf = ({ content, kind }: OutboxItem): IconName =>
  content === undefined ? GLYPHS[kind] : content === 'poll' ? 'poll' : 'map-pin'

/** One unsent item: content, place, time, error and actions. */
export function OutboxRow({ item }: { readonly item: OutboxItem }) {
  const errorText = useErrorText()
  const parked = item.state === 'parked'
  const what = useWhat(item)
  const where = useWhere(item)
  const glyph = parked ? 'alert-circle' : item.fileCount > 0 && item.summary === '' ? 'image' : glyphOf(item)
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
        <Actions item={item} what={what} />
      </div>
    </li>
  )
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
  // An item in flight cannot be changed.
  if (item.state === 'inflight') return null
  const parked = item.state === 'parked'
  return (
    <div className={styles['actions']}>
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
