import type { KeyboardEvent as Pressed } from 'react'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { UnreadPlace } from '#shared/domain/unread.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { useAppSelector, useChannel, useUser } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Count } from '../../ui/Mark/Count.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { channelTitle } from '../sidebar/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { Portrait } from '../people/index.ts'
import type { Row } from './use-places.ts'
import styles from './Unread.module.css'

type Props = {
  readonly row: Row
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onOpen: () => void
  readonly onShowBeside: () => void
  readonly onDone: () => void
  readonly onUndo: () => void
  /** Returns whether the key was handled. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

/** A channel or thread with a preview of its first unread messages. */
export function PlaceRow({ row, item, onOpen, onShowBeside, onDone, onUndo, onKey }: Props) {
  const t = useTexts('unread')
  const { place } = row
  const title = useAppSelector((state) => channelTitle(state, place.cid))
  const name = place.parentId === undefined ? title : t('catchUp.thread', { place: title })
  const press = (event: Pressed): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (onKey(event.nativeEvent)) event.preventDefault()
  }
  if (row.isDone) {
    return (
      <li className={styles['gone']} data-unread-place={row.id}>
        <span>
          <b>{name}</b> {t('catchUp.isRead')}
        </span>
        <Button size="small" icon="undo" {...item} onClick={onUndo} onKeyDown={press}>
          {t('catchUp.undo')}
        </Button>
      </li>
    )
  }
  return (
    <li className={styles['row']} data-unread-place={row.id}>
      <button type="button" className={styles['open']} {...item} onClick={onOpen} onKeyDown={press}>
        <Glyph place={place} />
        <span className={styles['text']}>
          <span className={styles['where']}>
            <b>{name}</b>
            <Counts place={place} />
          </span>
          <Preview place={place} />
        </span>
        <When at={place.newestAt} />
      </button>
      <span className={styles['actions']}>
        <IconButton
          size="small"
          icon="panel-right"
          label={t('catchUp.beside', { place: name })}
          keys={[' ']}
          onClick={onShowBeside}
        />
        <IconButton
          size="small"
          icon="check"
          label={t('catchUp.doneIn', { place: name })}
          keys={['E']}
          onClick={onDone}
        />
      </span>
    </li>
  )
}

function Counts({ place }: { readonly place: UnreadPlace }) {
  const t = useTexts('unread')
  const isDirect = useChannel(place.cid)?.directUserIds.length ?? 0
  const forYou = isDirect > 0 ? place.unread : place.mentions
  return (
    <>
      <span className={styles['tag']}>{t('catchUp.new', { count: place.unread })}</span>
      {place.mentions > 0 ? (
        <span className={styles['forYou']}>{t('catchUp.mentions', { count: place.mentions })}</span>
      ) : forYou > 0 ? (
        <Count value={forYou} tone="mention" />
      ) : null}
    </>
  )
}

function Preview({ place: { preview, unread } }: { readonly place: UnreadPlace }) {
  const t = useTexts('unread')
  const rest = unread - preview.length
  if (preview.length === 0) return <span className={styles['note']}>{t('catchUp.notHere')}</span>
  return (
    <>
      {preview.map((line) => (
        <Line key={line.messageId} line={line} />
      ))}
      {rest > 0 ? <span className={styles['note']}>{t('catchUp.more', { count: rest })}</span> : null}
    </>
  )
}

function Line({ line }: { readonly line: UnreadPlace['preview'][number] }) {
  const t = useTexts('unread')
  const author = useUser(line.userId)?.name ?? line.userId
  const text = excerpt(line.text, 200)
  return (
    <span className={styles['line']}>
      <bdi className={styles['author']}>{cleanName(author)}</bdi>{' '}
      <span dir="auto">
        {text === '' && line.files > 0 ? t('catchUp.files', { count: line.files }) : <EmojiText text={text} />}
      </span>
    </span>
  )
}

function Glyph({ place }: { readonly place: UnreadPlace }) {
  const channel = useChannel(place.cid)
  const other = useUser(channel?.directUserId)
  if (place.parentId === undefined && other !== undefined) return <Portrait userId={other.id} size={20} />
  const direct = (channel?.directUserIds.length ?? 0) > 0
  const icon =
    place.parentId !== undefined ? 'thread' : direct ? 'users' : channel?.isPrivate === true ? 'lock' : 'hash'
  return (
    <span className={styles['glyph']}>
      <Icon name={icon} size={18} />
    </span>
  )
}

function When({ at }: { readonly at: number }) {
  const { listTime } = useFormats()
  const now = useMinute()
  return <span className={styles['when']}>{listTime(at, now)}</span>
}
